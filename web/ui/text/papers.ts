// The papers behind the methods, and which examples are theirs.

export interface Paper {
  /** As docs and examples cite it. */
  key: string;
  title: string;
  authors: string;
  /** The tab with its method. */
  method: string;
}

export const PAPERS: readonly Paper[] = [
  {
    key: "AGVW16",
    title: "Pruning Infeasible Paths via Graph Transformations and Symbolic Execution",
    authors: "Aissat, Gaudel, Voisin, Wolff 2016",
    method: "Prune",
  },
  {
    key: "DBG10",
    title: "Explanation-based Generalization of Infeasible Path",
    authors: "Delahaye, Botella, Gotlieb 2010",
    method: "Explain",
  },
  { key: "ST12", title: "Abstracting Path Conditions", authors: "Strejček, Trtík 2012", method: "Reach" },
  { key: "CHS12", title: "Towards Bounded Infeasible Code Detection", authors: "Christ, Hoenicke, Schäf 2012", method: "Cover" },
  {
    key: "BDP16",
    title: "Bidirectional Symbolic Analysis for Effective Branch Testing",
    authors: "Baluda, Denaro, Pezzè 2016",
    method: "Branches",
  },
];

/** What an example is found by. */
export interface Findable {
  name: string;
  title: string;
  lookAt: string;
  /** The key of its paper; empty for a program of no paper. */
  paper: string;
}

export interface ExampleGroup<E> {
  /** `null` for the programs of no paper, which come first. */
  paper: Paper | null;
  examples: E[];
  /** Whether the paper has a tour that has all the words, too. */
  tour: boolean;
}

/** Lower case without accents: a search for "Strejcek" finds him. */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The examples that have all words of a search in their name, title, hint, paper, authors or method; by paper, with its tour; empty groups left out. */
export function groupsOf<E extends Findable>(examples: readonly E[], search: string): ExampleGroup<E>[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const has = ({ name, title, lookAt }: E, paper: Paper | null): boolean => {
    const text = plain([name, title, lookAt, ...(paper ? Object.values(paper) : [])].join(" "));
    return words.every((word) => text.includes(word));
  };
  return [null, ...PAPERS]
    .map((paper) => ({
      paper,
      tour: paper !== null && words.every((word) => plain(["tour", ...Object.values(paper)].join(" ")).includes(word)),
      examples: examples.filter((example) => example.paper === (paper?.key ?? "") && has(example, paper)),
    }))
    .filter(({ examples, tour }) => tour || examples.length > 0);
}
