import assert from "node:assert/strict";
import { test } from "node:test";
import { claimPath, EvidenceWriter, SHOWN_CLAIMS, shownFile } from "../../web/ui/engine/evidence";
import { merge } from "./documents";

const head = { schema: 1, program: "p", source: "text", function: "f", ints: "unbounded", claims: [] };
const reached = (n: number) => ({ claim: "reached", id: `path-${n}`, path: [0, 1], input: { x: n, nondet: [] } });

test("a file is put together from its pieces, however many", async () => {
  const writer = new EvidenceWriter();
  const claims = Array.from({ length: 30_000 }, (_, i) => reached(i + 1));
  for (const claim of claims) writer.add(claim);
  assert.equal(writer.file, null);
  writer.add(head);
  assert.deepEqual(JSON.parse(await writer.file!.text()), { ...head, claims });
});

test("without claims there is no file", () => {
  const writer = new EvidenceWriter();
  writer.add(head);
  assert.equal(writer.file, null);
});

test("the rejected claims come first, and no more are shown than fit", () => {
  const claims = Array.from({ length: 1000 }, (_, i) => reached(i));
  const shown = shownFile({ ...head, claims }, [{ id: "path-999", index: 999, reason: "no" }]).claims;
  assert.equal(shown.length, SHOWN_CLAIMS);
  assert.deepEqual(
    shown.slice(0, 3).map(({ index }) => index),
    [999, 0, 1],
  );
});

test("a claim's path is shown only where its edges are, with the verdict it deserves", () => {
  const claim = {
    index: 0,
    id: "path-1",
    kind: "infeasible",
    path: [0, 1, 3],
    core: [2, 7],
    edges: [],
    input: null,
    assumes: ["first-call"],
  };
  const path = claimPath(claim, undefined, merge)!;
  assert.deepEqual([path.feasible, path.dies_at, path.core, path.lines, path.assumes], [false, 2, [2], [1, 2, 4], ["first-call"]]);
  const rejected = claimPath(claim, { id: "path-1", index: 0, reason: "no" }, merge)!;
  assert.deepEqual([rejected.feasible, rejected.dies_at, rejected.open], [null, null, "no"]);
  assert.equal(claimPath({ ...claim, path: [0, 99] }, undefined, merge), null);
  assert.equal(claimPath({ ...claim, path: null }, undefined, merge), null);
});
