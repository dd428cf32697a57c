"""Checks result files of BenchExec: each verdict is the expected one, each coverage is done."""

import sys
import xml.etree.ElementTree as tree


def wrong(path):
    runs = tree.parse(path).getroot().findall("run")
    if not runs:
        yield f"{path}: no runs"
    for run in runs:
        columns = {column.get("title"): column.get("value") for column in run.findall("column")}
        status, category = columns.get("status"), columns.get("category")
        if category != "correct" and status != "done":
            yield f"{run.get('name')} ({run.get('properties')}): {status}, {category}"


messages = [message for path in sys.argv[1:] for message in wrong(path)]
print("\n".join(messages) or f"{len(sys.argv) - 1} result files: all verdicts are the expected ones")
sys.exit(1 if messages or len(sys.argv) < 2 else 0)
