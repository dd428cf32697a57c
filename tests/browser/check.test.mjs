// The page checks evidence anew: its own, and files from elsewhere, which may lie.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  bar,
  cancelled,
  count,
  downloaded,
  draw,
  drawn,
  figure,
  launch,
  longestBlock,
  open,
  setProgram,
  tab,
  upToDate,
} from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Draws from the program shown and checks the evidence; the page is then at the Check tab. */
async function drawAndCheck(page, many) {
  await tab(page, "Paths");
  await draw(page, { Number: String(many) });
  await page.getByText(`${many} paths drawn`).waitFor();
  await page.locator(".summary").getByRole("button", { name: "Check the evidence" }).click();
  await page.locator(".check-pane .summary").waitFor();
}

/** The evidence file as the page saves it. */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the file" }).last().click()]);
  return { name: download.suggestedFilename(), evidence: JSON.parse(String(await downloaded(download))) };
}

const choose = (page, text, name = "evidence.json") =>
  page.locator(".check-pane input[type=file]").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
const verdict = (page, text) => page.locator(".check-pane .summary", { hasText: text }).waitFor();

test("the evidence of drawn and of counted paths holds, and a claim's path is shown", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 30);
  await verdict(page, "All 30 claims hold.");
  const badges = await page.locator(".check-pane .badge").allTextContents();
  const numbers = badges.map((badge) => Number(/\d+/.exec(badge)[0]));
  assert.equal(
    numbers.reduce((sum, n) => sum + n, 0),
    30,
    badges.join(),
  );
  assert.equal(await page.locator(".check-pane ol.drawn > li").count(), 30);
  await page.locator(".check-pane ol.drawn > li.no > button").first().click();
  assert.match(await page.locator(".path-bar").textContent(), /Claim path-\d+, step \d+ of \d+.*here no input is left/);
  await page.getByRole("button", { name: "In the graph" }).click();
  assert.equal(await page.locator(".canvas .edge.dead").count(), 1);
  assert.equal(await page.locator(".cm-line.cm-at").count(), 1);
  await page.getByRole("button", { name: "Leave the path" }).click();

  await tab(page, "Paths");
  await count(page, "30");
  await page.getByText("1 row in").waitFor();
  await page.getByRole("button", { name: "Check the evidence" }).first().click();
  await verdict(page, "140 feasible, replayed");
  assert.deepEqual(errors, []);
  await context.close();
});

test("one changed number in a file is found, and said of which claim", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 30);
  const { name, evidence } = await saved(page);
  assert.equal(name, "merge-merge-drawn.json");
  assert.equal(evidence.claims.length, 30);
  assert.equal(evidence.schema, 1);

  const tampered = (which, change) => {
    const copy = structuredClone(evidence);
    const index = copy.claims.findIndex(which);
    assert.ok(index >= 0);
    change(copy.claims[index]);
    return { text: JSON.stringify(copy), index };
  };
  const of = (kind) => (one) => one.claim === kind;
  const input = tampered(of("reached"), (claim) => (claim.input.la += 1000));
  const core = tampered(of("infeasible"), (claim) => (claim.core[0] -= 1));
  const path = tampered(
    () => true,
    (claim) => (claim.path[1] += 1),
  );
  for (const [what, { text, index }] of Object.entries({ input, core, path })) {
    await choose(page, text, `${what}.json`);
    await page.getByRole("heading", { name: `${what}.json` }).waitFor();
    await verdict(page, "1 of 30 claims rejected");
    const rejected = page.locator(".check-pane li.rejected");
    assert.equal(await rejected.count(), 1);
    assert.match(await rejected.textContent(), new RegExp(`path-${index + 1}, said to be .+: .+✕ rejected`), what);
  }
  // The path of a rejected claim can be looked at as well, if it is one: it has no verdict.
  await choose(page, input.text);
  await page.getByRole("heading", { name: "evidence.json" }).waitFor();
  await verdict(page, "1 of 30 claims rejected");
  await page.locator(".check-pane li.rejected > button").click();
  assert.match(await page.locator(".path-bar").textContent(), /Claim path-\d+, step 1 of/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a file about another program says so, and opens it", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 5);
  const { evidence } = await saved(page);
  await setProgram(page, "int f(int x) {\n  if (x) return 1;\n  return 2;\n}\n");
  await upToDate(page);
  await choose(page, JSON.stringify(evidence));
  await page.getByRole("heading", { name: "evidence.json" }).waitFor();
  await verdict(page, "All 5 claims hold.");
  assert.ok(await page.locator(".check-pane ol.drawn > li > button").first().isDisabled());
  await page.getByRole("button", { name: "Open its program" }).click();
  await page.locator(".check-pane ol.drawn > li > button:enabled").first().click();
  await page.locator(".path-bar").waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /merge/);
  await page.getByRole("button", { name: "Back to my own program" }).click();
  await page.locator(".cm-content", { hasText: "int f(int x)" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is no evidence is refused with the reason, and the engine goes on", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 5);
  const { evidence } = await saved(page);
  const odd = [
    ["dropped.json", '{"claims": [', /not an evidence file/],
    ["list.json", "[1, 2]", /not an evidence file/],
    ["kind.json", JSON.stringify({ ...evidence, claims: [{ claim: "believed", id: "x", path: [] }] }), /not an evidence file.*believed/],
    [
      "bare.json",
      JSON.stringify({ ...evidence, claims: [{ claim: "reached", id: "x", path: [] }] }),
      /not an evidence file.*missing field `input`/,
    ],
    ["program.json", JSON.stringify({ ...evidence, source: "int f(" }), /The run stopped/],
    ["function.json", JSON.stringify({ ...evidence, function: "other" }), /no function `other`|other/],
  ];
  for (const [name, text, reason] of odd) {
    await choose(page, text, name);
    await page.getByRole("heading", { name }).waitFor();
    const mark = page.locator(".check-pane .mark.bad");
    await mark.waitFor();
    assert.match(await mark.textContent(), reason, name);
  }
  await choose(page, JSON.stringify({ ...evidence, schema: 99 }), "schema.json");
  await verdict(page, "The file was rejected.");
  assert.match(await page.locator(".check-pane .reasons").textContent(), /schema 99 is not known here/);
  // What no claim has is passed over, however deep it goes.
  await choose(
    page,
    JSON.stringify({ ...evidence, claims: [{ ...evidence.claims[0], more: "here" }] }).replace(
      '"here"',
      "[".repeat(50_000) + "]".repeat(50_000),
    ),
    "deep.json",
  );
  await page.getByRole("heading", { name: "deep.json" }).waitFor();
  await page.locator(".check-pane .summary").waitFor();
  await choose(page, JSON.stringify(evidence), "again.json");
  await verdict(page, "All 5 claims hold.");
  assert.equal(await page.locator(".notice.error").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a file of nothing but wrong claims does not flood the page", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 5);
  const { evidence } = await saved(page);
  const wrong = { ...evidence.claims[0], path: [1] };
  await choose(page, JSON.stringify({ ...evidence, claims: Array.from({ length: 50_000 }, () => wrong) }), "wrong.json");
  const block = await longestBlock(page, () => verdict(page, "50,000 of 50,000 claims rejected."));
  figure("fifty thousand rejected claims: longest block", block);
  assert.equal(await page.locator(".check-pane li.rejected").count(), 200);
  assert.ok(await page.getByText("200 of 50,000 claims are listed").isVisible());
  assert.deepEqual(errors, []);
  await context.close();
});

test("a dropped file is checked, progress is shown, and Cancel ends it with what was found", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await drawAndCheck(page, 40);
  const { evidence } = await saved(page);
  // Many claims, the first of them wrong: there is time to cancel, and something to keep.
  const many = Array.from({ length: 150_000 }, (_, i) => evidence.claims[i % evidence.claims.length]);
  many[0] = { ...many[0], path: [1] };
  await page.evaluate(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "many.json", { type: "application/json" }));
      const pane = document.querySelector(".check-pane");
      for (const type of ["dragover", "drop"])
        pane.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    JSON.stringify({ ...evidence, claims: many }),
  );
  await page.getByRole("heading", { name: "many.json" }).waitFor();
  await page.locator(".check-pane .progress", { hasText: /of 150,000 claims/ }).waitFor();
  await bar(page, "Cancel").click();
  await cancelled(page.locator(".check-pane"));
  assert.match(await page.locator(".check-pane .reasons").textContent(), /path-1 the edges are not a path from the entry/);
  assert.equal(await page.locator(".check-pane .summary").count(), 0);
  // Another check while one runs: the first gives way without a word.
  await page.locator(".sources li", { hasText: "many.json" }).getByRole("button", { name: "Check" }).click();
  await page.locator(".check-pane .progress").waitFor();
  await page.locator(".sources li", { hasText: "Drawn" }).getByRole("button", { name: "Check" }).click();
  await page.getByRole("heading", { name: "Drawn paths of merge" }).waitFor();
  assert.equal(await page.locator(".check-pane").getByText("Cancelled").count(), 0);
  await verdict(page, "All 40 claims hold.");
  assert.equal(await page.locator(".check-pane").getByText("Cancelled").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
