// The page in another one, as slides and course pages have it.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, copiedBy, launch, open, violations } from "./harness.mjs";
import { serve } from "./serve.mjs";

let site;
let folder;
before(async () => {
  site = await launch();
  folder = await mkdtemp(join(tmpdir(), "course-"));
});
after(async () => {
  await site?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** A page of a course with these lines in it. */
async function course(lines, act) {
  await writeFile(
    join(folder, "index.html"),
    `<!doctype html><html lang="en"><title>Lesson</title><main><h1>Lesson</h1>\n${lines}</main></html>\n`,
  );
  const server = await serve(folder);
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(server.address);
  await act(page);
  assert.deepEqual(errors, []);
  await context.close();
  await server.close();
}

test("the lines that the page copies show its program in another page", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  await page.getByRole("button", { name: "More" }).click();
  const lines = await copiedBy(page, () => page.getByRole("button", { name: "Copy for embedding" }).click());
  assert.match(
    lines,
    /^<script src="http:\/\/127\.0\.0\.1:\d+\/embed\.js" defer><\/script>\n<culdesac-view link="#leap_year"><\/culdesac-view>\n$/,
  );
  assert.deepEqual(errors, []);
  await context.close();
  await course(lines, async (page) => {
    const frame = page.frameLocator("culdesac-view iframe");
    assert.match(await frame.locator(".report-pane .sentence").innerText(), /^2 of 8 branches can never run\b/);
    assert.equal(await frame.locator("header").count(), 0);
    const [whole] = await Promise.all([page.waitForEvent("popup"), frame.getByRole("button", { name: "Open in culdesac" }).click()]);
    await whole.locator("header").waitFor();
    assert.match(whole.url(), /\/#leap_year$/);
  });
});

test("the program may stand in the element, with the tab that is shown", async () => {
  const lines = `<script src="${site.address}embed.js" defer></script>
<culdesac-view tab="graph" title="A contradiction">
int f(int x) {
  if (x &gt; 3 &amp;&amp; x &lt; 2)
    return 1;
  return 0;
}
</culdesac-view>`;
  await course(lines, async (page) => {
    assert.equal(await page.locator("culdesac-view iframe").getAttribute("title"), "A contradiction");
    const frame = page.frameLocator("culdesac-view iframe");
    await frame.locator(".graph-pane [data-edge]").nth(3).waitFor();
    await frame.locator(".answer", { hasText: /\d of \d branches/ }).waitFor();
    await frame.locator(".cm-line.cm-dead", { hasText: "return 1;" }).waitFor();
    assert.deepEqual(await violations(page), []);
  });
});
