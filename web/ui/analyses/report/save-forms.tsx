// The report as a file: the very forms that `culdesac report --format` prints.

import { signal } from "@preact/signals";
import { download } from "../../browser/download";
import { quoted } from "../../parts/quoted";
import type { ReportDocument, ReportForm } from "../../protocol";
import { quick, request } from "../../state/engines";
import { current } from "../../state/state";
import type { ReportRun } from "./state";

const FORMS: readonly { form: ReportForm; title: string; hint: string; ending: string }[] = [
  { form: "html", title: "HTML", hint: "One page that needs nothing else, for a screen and for paper: for a reviewer", ending: ".html" },
  { form: "markdown", title: "Markdown", hint: "Lists and tables for a review or an issue", ending: ".md" },
  { form: "sarif", title: "SARIF", hint: "Findings for code hosts and editors: SARIF 2.1.0", ending: ".sarif" },
  { form: "csv", title: "CSV", hint: "A row for each branch", ending: ".csv" },
  { form: "json", title: "JSON", hint: "The whole document", ending: ".json" },
  {
    form: "lcov",
    title: "LCOV",
    hint: "Coverage by the report's tests as LCOV 2.5; a branch that can never run is unreachable",
    ending: ".info",
  },
  { form: "witness", title: "Witness", hint: "The run into an error call as a witness of SV-COMP 2.0", ending: ".yml" },
];

/** Why the last file was not written. */
const said = signal<{ of: ReportDocument; text: string } | null>(null);

/** Saves a report in a form. */
export async function saveForm(run: ReportRun & { document: ReportDocument }, form: ReportForm): Promise<void> {
  said.value = null;
  const ending = FORMS.find((one) => one.form === form)!.ending;
  const outcome = await quick.ask({
    name: "forms",
    request: { ...request({ limit: run.own }), program: run.document.program },
    settings: { document: run.document, form },
  });
  if (outcome.kind === "cancelled") return;
  const refused =
    outcome.kind === "failed" ? outcome.message : outcome.reply.kind === "refused" ? outcome.reply.diagnostics[0]?.message : undefined;
  if (outcome.kind === "answer" && outcome.reply.kind === "document") {
    download(new Blob([outcome.reply.document.text]), `${run.cfg.function}-report${ending}`);
  } else said.value = { of: run.document, text: `Nothing was saved: ${refused ?? "the program was refused"}` };
}

export function SaveForms({ run }: { run: ReportRun & { document: ReportDocument } }) {
  const here = said.value?.of === run.document ? said.value : null;
  return (
    <>
      <div class="save" role="group" aria-label="Save the report">
        <span>Save the report</span>
        {FORMS.map(({ form, title, hint }) => (
          <button key={form} type="button" title={hint} disabled={!current(run)} onClick={() => void saveForm(run, form)}>
            {title}
          </button>
        ))}
      </div>
      <div class="saved" role="status">
        {here && <p class="mark bad">{quoted(here.text)}</p>}
      </div>
    </>
  );
}
