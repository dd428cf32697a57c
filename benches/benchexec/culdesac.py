"""Tool information for BenchExec: how culdesac is called on a task, and what its answer means."""

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task
from benchexec.tools.template import BaseTool2

# So much of the limits is for the analysis; with the rest it writes what is settled.
SHARE = 0.8

VERDICTS = {
    "TRUE": result.RESULT_TRUE_PROP,
    "FALSE(unreach-call)": result.RESULT_FALSE_REACH,
    "DONE": result.RESULT_DONE,
    "UNKNOWN": result.RESULT_UNKNOWN,
}
PROPERTIES = ("unreach-call", "coverage-branches", "coverage-error-call")


class Tool(BaseTool2):
    def name(self):
        return "culdesac"

    def executable(self, tool_locator):
        return tool_locator.find_executable("culdesac")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="culdesac")

    def cmdline(self, executable, options, task, rlimits):
        limits = []
        if rlimits.cputime:
            limits += ["--timeout", str(rlimits.cputime * SHARE)]
        if rlimits.memory:
            limits += ["--memory", str(max(1, int(rlimits.memory * SHARE / 1_000_000)))]
        model = get_data_model_from_task(task, {"ILP32": "ilp32", "LP64": "lp64"})
        target = ["--abi", model] if model else []
        property_file = ["--property", task.property_file] if task.property_file else []
        return [executable, "report", *options, *limits, *target, *property_file, task.single_input_file]

    def determine_result(self, run):
        for line in reversed(run.output):
            name, _, verdict = line.strip().partition(": ")
            if name in PROPERTIES:
                return VERDICTS.get(verdict, result.RESULT_UNKNOWN)
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + "(refused)"
        # Without a property the report is the answer.
        return result.RESULT_DONE if run.exit_code.value == 0 else result.RESULT_UNKNOWN
