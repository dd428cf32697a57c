// The docs pages: found from the page, readable in every dress, and nothing in them leads nowhere.

import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { problems } from "../../scripts/docs.mjs";
import { dist, launch, open, styled, upToDate, violations } from "./harness.mjs";
import { serve } from "./serve.mjs";

test("what is mentioned has to exist", () => {
  const there = new Set(["examples/a.c", "crate/solver", "web/docs/there.svg"]);
  const wrong = (text, others = {}) => problems({ page: text, ...others }, (path) => there.has(path));
  assert.deepEqual(wrong("# T\n\nSee [x](#a-b), [y](https://example.org/) and `examples/a.c`, below crate/solver.\n\n## A `b`\n"), []);
  assert.deepEqual(wrong("# T\n\nSee [x](other.md#here) and [o](other.md).\n", { other: "# O\n\n## Here\n" }), []);
  assert.deepEqual(wrong("# T\n\nOne,\ntwo [x](#nowhere)\n"), ["web/docs/page.md:4: the link `#nowhere` leads to no heading"]);
  assert.deepEqual(wrong("# T\n\n- a\n- b [x](other.md#there)\n", { other: "# O\n" }), [
    "web/docs/page.md:4: the link `other.md#there` leads to no heading",
  ]);
  assert.deepEqual(wrong("# T\n\n| a |\n|---|\n| [x](gone.md) |\n"), ["web/docs/page.md:5: the link `gone.md` leads to no page"]);
  assert.equal(wrong("# T\n\n[x](http://example.org/) [y](/root) [z](../up.html)\n").length, 3);
  assert.deepEqual(wrong("# T\n\n```sh\nculdesac cfg examples/gone.c\n```\n"), ["web/docs/page.md:4: there is no `examples/gone.c`"]);
  assert.deepEqual(wrong("No title\n"), ["web/docs/page.md:1: the first line is not a title (`# …`)"]);
  assert.deepEqual(wrong("# T\n\n## A\n\n## A\n\n# B\n"), [
    'web/docs/page.md:5: the heading "A" is there twice',
    "web/docs/page.md:7: a second title: sections begin with `##`",
  ]);
  assert.deepEqual(wrong("# T\n\n<b>x</b>\n").slice(0, 1), ["web/docs/page.md:3: only text, no HTML"]);
  assert.deepEqual(wrong("# T\n\n![It](there.svg)\n"), []);
  assert.deepEqual(wrong("# T\n\n![It](gone.svg)\n"), ["web/docs/page.md:3: the picture `gone.svg` is no SVG in web/docs"]);
  assert.equal(wrong("# T\n\n![It](https://example.org/x.svg) ![](there.svg)\n").length, 2);
});

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Follows Docs from the page, and from the index to every page there: `look` is called on each. */
async function everyPage(options, look) {
  const { page, context, errors, outside } = await open(site, options);
  await upToDate(page);
  if (options.isMobile) await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name: "Docs", exact: true }).click();
  await page.waitForSelector("ul.pages");
  await styled(page);
  await look(page, "index");
  const names = await page.locator(".pages a").allTextContents();
  assert.ok(names.includes("How the solver works and why you can trust it"));
  for (const name of names) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await styled(page);
    await look(page, name);
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await page.waitForSelector("ul.pages");
  }
  await page.getByRole("link", { name: "To the program" }).click();
  await upToDate(page);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
}

const DRESSES = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["a small phone in the dark", { colorScheme: "dark", viewport: { width: 320, height: 600 }, hasTouch: true, isMobile: true }],
];

for (const [name, options] of DRESSES) {
  test(`the docs are found, accessible and fit: ${name}`, async () => {
    await everyPage(options, async (page, title) => {
      assert.deepEqual(await violations(page), [], title);
      const lost = await page.evaluate(async () => {
        const pictures = [...document.images];
        await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
        return pictures.filter((picture) => !picture.naturalWidth).map((picture) => picture.src);
      });
      assert.deepEqual(lost, [], title);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${title} is ${wide} pixels too wide`);
      const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)");
      assert.equal(dark, options.colorScheme === "dark", title);
    });
  });
}

test("every link of the docs resolves, anchors too", async () => {
  await everyPage({}, async (page, title) => {
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.href));
    for (const link of new Set(links.map((link) => link.split("#")[0]))) {
      if (!link.startsWith(site.address)) continue;
      assert.equal((await page.request.get(link)).status(), 200, `${title}: ${link}`);
    }
    const lost = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id)));
    assert.deepEqual(lost, [], title);
  });
});

test("the theme chosen on the page holds in the docs", async () => {
  const { page, context } = await open(site, { colorScheme: "dark" });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Theme").selectOption("light");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Docs", exact: true }).click();
  await page.waitForSelector("ul.pages");
  await styled(page);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await page.goBack();
  await page.getByRole("button", { name: "Present" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Theme").selectOption("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("link", { name: "Docs", exact: true }).click();
  await page.waitForSelector("ul.pages");
  await styled(page);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(18, 22, 29)");
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("projector")));
  await context.close();
});

test("the keyboard skips to the text and reaches every frame that scrolls", async () => {
  const { page, context } = await open(site, { viewport: { width: 390, height: 844 } });
  await page.goto(`${site.address}docs/solver.html`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the text");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "text");
  const unreachable = await page.evaluate(
    () =>
      [...document.querySelectorAll("main *")].filter(
        (e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "auto" && e.tabIndex !== 0,
      ).length,
  );
  assert.equal(unreachable, 0);
  await context.close();
});

test("the docs need no script and no fixed place", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "culdesac-"));
  t.after(() => rm(folder, { recursive: true }));
  await symlink(dist, join(folder, "deep"));
  const below = await serve(folder);
  t.after(below.close);
  const context = await site.browser.newContext({ javaScriptEnabled: false, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(`${below.address}deep/docs/index.html`);
  await page.locator(".pages a").first().click();
  await page.locator("h2").first().waitFor();
  await styled(page);
  assert.equal(await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor), "rgb(18, 22, 29)");
  assert.ok(
    below.asked.every((path) => path.startsWith("/deep/")),
    below.asked.join(" "),
  );
  await context.close();
});
