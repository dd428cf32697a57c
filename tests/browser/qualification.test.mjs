// The qualification sheet: results of tests as cargo tells them, and the texts that it gathers.

import assert from "node:assert/strict";
import test from "node:test";
import { results, sheet } from "../../scripts/qualification.mjs";

const LOG = `     Running unittests crate/lib.rs (target/debug/deps/culdesac-1)

test solver::tests::sums_are_exact ... ok
test solver::tests::an_endless_question ... ignored
     Running tests/it/main.rs (target/debug/deps/it-1)
test analysis::report::findings_are_in_a_reviewers_order ... ok
test analysis::report::usual_mistakes_are_told ... FAILED
     Running unittests fuzz/src/lib.rs (target/debug/deps/fuzz-1)
test elsewhere ... ok
   Doc-tests culdesac
test crate/search.rs - search (line 11) ... ok
`;

test("results are counted by the program of the tests, and others left out", () => {
  const found = [...results(LOG).values()].map((tests) => [...tests.values()]);
  assert.deepEqual(found, [["ok", "ignored"], [], ["ok", "FAILED"], ["ok"]]);
});

test("the sheet has versions, what is trusted, tests with their subjects, and limits", () => {
  const text = sheet(LOG);
  assert.match(text, /^# Qualification sheet of culdesac \d+\.\d+/);
  assert.match(text, /^\| num-bigint \| [\d.]+ \| .*MIT/m);
  assert.doesNotMatch(text, /^\| (wasm-bindgen|windows-sys|proptest) /m);
  assert.match(text, /^\| `interp` \| run the program/m);
  assert.match(text, /^Not trusted: /m);
  assert.match(text, /3 tests passed, 1 failed, 1 were left out\./);
  assert.match(text, /^\| tests\/it\/analysis\/report\.rs \| The report: .* \| 1 \| 1 \| 0 \|$/m);
  assert.match(text, /The log has no result of these tests\./);
  assert.match(text, /^## Known limits\n\n### /m);
  assert.doesNotMatch(text, /\| undefined|\[object/);
});
