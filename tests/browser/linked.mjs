// Programs with linked structures, and their objects in the Run tab.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setProgram, tab, upToDate } from "./harness.mjs";

/** The program of the docs page. */
export const LIST = /```c list\.c\n(.*?)```/s.exec(await readFile(new URL("../../web/docs/memory.md", import.meta.url), "utf8"))[1];

export const TREE = `#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *root, int key) {
    struct tree *leaf = calloc(1, sizeof *leaf);
    leaf->key = key;
    if (root == NULL)
        return leaf;
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (at->left == NULL) {
                at->left = leaf;
                return root;
            }
            at = at->left;
        } else {
            if (at->right == NULL) {
                at->right = leaf;
                return root;
            }
            at = at->right;
        }
    }
}

int main(void) {
    struct tree *root = NULL;
    int keys[5] = {4, 2, 6, 1, 3};
    for (int i = 0; i < 5; i++)
        root = insert(root, keys[i]);
    return root->left->key;
}
`;

/** Waits until the run has come to its end. */
export const ended = (page) =>
  page.waitForFunction(
    () => document.querySelector(".run-pane")?.getAttribute("aria-busy") === "false" && document.querySelector(".run-pane .summary .badge"),
  );

/** Shows the objects of a program that begins with `main`. */
export async function shown(page, program) {
  await setProgram(page, program);
  await upToDate(page);
  await page.locator("header select").first().selectOption("main");
  await upToDate(page);
  await tab(page, "Run");
  await ended(page);
  await page.locator("svg.objects").waitFor();
}

/** Goes to the first step after which the picture in words has this line. */
export async function goTo(page, words) {
  const has = () =>
    page.locator(".objects-words li").evaluateAll((all, words) => all.some(({ textContent }) => textContent.trim() === words), words);
  await page.locator(".path-bar").getByRole("button", { name: "Step on" }).focus();
  for (let steps = 0; !(await has()); steps++) {
    assert.ok(steps < 200, `“${words}” comes after no step`);
    const before = await page.locator(".objects-bar .muted").first().textContent();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((before) => document.querySelector(".objects-bar .muted").textContent !== before, before);
  }
}
