// What scripts/terms.mjs makes of web/docs/glossary.md for the terms in terms.json.
declare module "glossary:terms" {
  const terms: Record<string, { title: string; text: string; anchor: string }>;
  export default terms;
}
