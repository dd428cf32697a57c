// The page without a network: it is kept whole, in one version, and the next version comes when it is asked for.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, dist, launch, open } from "./harness.mjs";
import { serve } from "./serve.mjs";

let site;
let folder;
let served;
before(async () => {
  site = await launch();
  folder = await mkdtemp(join(tmpdir(), "page-"));
  await cp(dist, folder, { recursive: true });
  served = await serve(folder);
});
after(async () => {
  await site?.close();
  await served?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Until the service worker has all files. */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active !== null));

test("a reload without a network shows the page, and it answers; the docs are there, too", async () => {
  const { page, context, errors } = await open({ ...site, address: `${served.address}?offline` }, { isNew: true });
  await answered(page);
  await kept(page);
  await context.setOffline(true);
  await page.reload();
  assert.match(await answered(page), /^2 of 8 branches can never run/);
  await page.locator(".report-pane .sentence").waitFor();
  await page.goto(`${served.address}docs/report.html`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("another version is announced, and comes whole when it is asked for", async () => {
  const { page, context, errors } = await open({ ...site, address: `${served.address}?offline` }, { isNew: true });
  await answered(page);
  await kept(page);
  // A build with another title and another list of files.
  const html = await readFile(join(folder, "index.html"), "utf8");
  await writeFile(join(folder, "index.html"), html.replace("<title>culdesac", "<title>Next culdesac"));
  const worker = await readFile(join(folder, "sw.js"), "utf8");
  await writeFile(join(folder, "sw.js"), worker.replace(/("index\.html","revision":")\w/, "$1next"));
  await page.reload();
  await answered(page);
  assert.match(await page.title(), /^culdesac/);
  await page.getByRole("button", { name: "Load it" }).click();
  await page.waitForFunction(() => document.title.startsWith("Next"));
  await answered(page);
  assert.deepEqual(errors, []);
  await context.close();
});
