// What esbuild is told of the page and its workers, by the bundle and by the list of licences.

import { terms } from "./terms.mjs";

export const PAGE = {
  entryPoints: {
    main: "web/ui/main.ts",
    worker: "web/ui/worker.ts",
    "layout-worker": "web/ui/graph/layout-worker.ts",
    sw: "web/ui/service-worker.ts",
  },
  plugins: [terms],
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
};
