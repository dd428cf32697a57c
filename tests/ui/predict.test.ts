import assert from "node:assert/strict";
import { test } from "node:test";
import { isRight, tally } from "../../web/ui/analyses/report/predicting";
import type { ReportBranch } from "../../web/ui/protocol";

const LIST = ["covered", "infeasible", "open"].map((verdict) => ({ verdict }) as ReportBranch);

test("a guess is right where the verdict says the same, and no open branch judges it", () => {
  assert.deepEqual(
    LIST.flatMap((branch) => [isRight(branch, true), isRight(branch, false)]),
    [true, false, false, true, null, null],
  );
});

test("the tally counts guesses with an answer", () => {
  assert.deepEqual(tally(LIST, new Map()), { guessed: 0, judged: 0, right: 0 });
  assert.deepEqual(
    tally(
      LIST,
      new Map([
        [0, true],
        [1, true],
        [2, false],
      ]),
    ),
    { guessed: 3, judged: 2, right: 1 },
  );
});
