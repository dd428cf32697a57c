// The page's weight as it travels, and its budget.

import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** KB of brotli, of all files of a kind together. The docs are loaded one page at a time. Each budget is what the kind weighs, and a little:
 * a change that needs more says what for. Of the script, CodeMirror is half, archives of tests (fflate) are 4.2 KB, the Branches tab 3.2,
 * the service worker 5.6, the element for other pages 0.8, the boxes of the red–black graph 1.9; of the script of the page 9.5 lay out and draw graphs of basic blocks, in columns, with calls as rows, 4 came with coverage, the forms of a report and sorted claims, 8 with Predict, signs and cards of lines, printing,
 * tables and pictures as files, links to what is looked at, and what registers the service worker; tours are 4, told mistakes of links 0.5, terms 1.3, beside 1, goals of criteria and justifications of an earlier version 2, the function alone 0.9, the picture of linked structures 5.2, folders with tabs of their files 1.2; printed pictures are 0.2 of the style; of the docs, the licences of all packages in the page are 6.1 KB, the page on exported suites 6.5, the glossary 5.8, the page on reports 2.8, that on batches 3.2, that on tours 2.8, that on memory 4.6 with its picture, the red–black graph in boxes 1.2 more than in circles,
 * the table of programs with and without an error 1.2; JSON are the tours. */
const BUDGETS = { js: 269, css: 12, html: 5, docs: 144, json: 8 };

/** KB of brotli of the engine's files that have travelled by then; on demand, of those that only a button or the Check tab loads. A budget is
 * what is wanted, or, where that is missed, what is measured and a little:
 *
 * - to the graph, wanted 300: the front end is C's, and lowering is a third of it; some 6 KB write floats, which the decoder of questions
 *   needs for its errors alone; 10 KB tell the functions that are understood from the others,
 *   32 KB read further constructs, headers and builtins, and approximate what is left; 5 KB know the sizes of types on other targets; 12 KB write programs anew for linked structures.
 *   6 KB of it are pointers to pointers in nodes, arrays of nodes and nodes at file scope; 7 the names of inputs in the words
 *   of the program;
 * - 15 KB to the graph write memory of any number of scalars as blocks, with their calls and texts;
 *   29 KB to the graph are together pointers that move along blocks and are kept, copies between objects and bytes, types for pointers to void, and
 *   accesses through pointers to volatile;
 *   elements that are structures or pointers, and the command line, are 6 of these, in the place of 5 for tables of pointers;
 * - to the answer, wanted 550: 10 KB carry memory in statics from call to call, and try calls; Cover asks all provers, so that Reach's summaries and Prune's construction are in its part beside the solver;
 *   8 KB search for inputs near computed numbers, read these from texts and write them in conditions;
 *   11 KB look for reasons beside sides of decisions: values, what encloses a branch, facts of its claim; 2 find inputs along explicit values; 14 write inputs as people do, and say which parts of them a run reads;
 *   the graph with undefined edges, and the report's proofs that nothing is undefined, are 7;
 * - all analyses, wanted 900: inlining is 25 KB of them, and makes the engine a quarter quicker;
 *   the report is 26 KB of them, of which usual mistakes and tried inputs are 5; the names of nodes in a run are 8, and 13 read inputs as people write them.
 * - 1 KB to the answer and 7 of all analyses came with the documents to save, whose part calls what others alone called, and with labels of innocuous branches;
 * - bits of floating-point numbers in unions are 4 KB to the graph; 12 of all analyses name what no graph checks, and look for failing runs by all finders;
 * - 5 KB to the graph note the whole decisions of the text, and 10 to the answer unfold graphs, which the check of claims about criteria does by itself;
 * - 4 KB to the graph are thresholds of floating-point operations; 5 to the answer try reasons on paths, so that they suffice;
 * - 7 KB to the answer try calls by constants and values of statics in every program, ask of conditions by themselves, and know signs and orders of floating-point results;
 * - 3 KB to the answer unwind loops again and try repeated and replaced elements; 4 to all analyses name usual mistakes, find reads of values that nothing has set,
 *   and write inputs in letters;
 * - 2 KB to the graph find functions by their names, and follow what a call of `scanf` counts; 10 to the answer find what flows into a condition,
 *   and write reasons in the words of the text, and some 2 are hints for integer arithmetic and proofs within a round;
 * - 2 KB to the graph are calls that go deeper than copies, and 6 to the answer run programs on ranges of values and through such calls, and tell assignments as the text does;
 * - 1 KB to the answer and 3 of all analyses listen to the runs on all inputs, try texts that break off and find ways on which a variable is not set;
 * - 1 KB to the graph chooses one depth of calls for all views; 10 to the answer are intervals of variables and elements with their proofs, and texts made of words;
 * - on demand: goals of criteria are some 20 KB of the documents' part, justifications of an earlier version 2; the rest of it is 148 KB, of which justified coverage with its readers and JSON is most; exported suites with the texts of their runners are 92 KB, of which 5 name the objects and types of linked files, the evidence's reader is 22; the nodes of tests are 5, and 2 read tests with such inputs. */
const MOMENTS = [
  { what: "wasm to the graph", files: ["culdesac-web_bg"], budget: 523 },
  { what: "wasm to the answer", files: ["culdesac-web_bg", "part-answer"], budget: 1069 },
  {
    what: "wasm of all analyses",
    files: [
      "culdesac-web_bg",
      "part-answer",
      "part-shared",
      "part-branches",
      "part-prune",
      "part-explain",
      "part-reach",
      "part-draw",
      "part-run",
    ],
    budget: 1363,
  },
  { what: "wasm on demand", files: ["part-check", "part-compare", "part-export", "part-documents"], budget: 310 },
];

const dist = process.argv[2] ?? "dist";
const sums = {};
/** By name without the ending, of the engine's files. */
const engine = {};
const files = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
for (const name of files.map((file) => relative(dist, join(file.parentPath, file.name))).sort()) {
  const bytes = await readFile(join(dist, name));
  const size = brotliCompressSync(bytes).length / 1024;
  const kind = name.startsWith("docs/") ? "docs" : name.split(".").pop();
  sums[kind] = (sums[kind] ?? 0) + size;
  if (kind === "wasm") engine[name.replace(/\.wasm$/, "")] = size;
  console.log(`${name.padEnd(36)} ${(bytes.length / 1024).toFixed(1).padStart(8)} KB ${size.toFixed(1).padStart(8)} KB brotli`);
}
let over = false;
const check = (what, size, budget) => {
  if (size === undefined || Number.isNaN(size)) {
    console.error(`no ${what} in ${dist}`);
    over = true;
    return;
  }
  console.log(`${what.padEnd(36)} ${"".padStart(11)} ${size.toFixed(1).padStart(8)} KB brotli of ${budget}`);
  if (size > budget) {
    console.error(`${what}: ${size.toFixed(1)} KB of brotli is over the budget of ${budget} KB`);
    over = true;
  }
};
for (const { what, files, budget } of MOMENTS)
  check(
    what,
    files.reduce((sum, file) => sum + engine[file], 0),
    budget,
  );
const unbudgeted = Object.keys(engine).filter((file) => !MOMENTS.some(({ files }) => files.includes(file)));
if (unbudgeted.length > 0) {
  console.error(`no moment has ${unbudgeted.join(", ")}`);
  over = true;
}
for (const [kind, budget] of Object.entries(BUDGETS)) check(kind, sums[kind], budget);
process.exit(over ? 1 : 0);
