// Other searches with the same steps, as in the paper's Table 2.

import { Term } from "../../parts/term";
import type { BranchesBaseline } from "../../protocol";
import { grouped, share } from "../../text/numbers";
import type { BranchesRun } from "./state";

const NAMES: Record<BranchesBaseline, string> = { random: "random inputs", depth: "depth first", distance: "by distance" };

export function Compared({ run: { document, runs } }: { run: BranchesRun }) {
  if (!document || document.baselines.length === 0) return null;
  const {
    branches: { total, covered, infeasible },
    baselines,
  } = document;
  const rows = [
    { name: "Branches", covered, runs },
    ...baselines.map(({ search, covered, runs }) => ({ name: NAMES[search], covered, runs })),
  ];
  return (
    <table class="counts others">
      <caption>Searches with as many steps. Only Branches proves: {grouped(infeasible)} infeasible.</caption>
      <thead>
        <tr>
          <th scope="col">search</th>
          <th scope="col">covered</th>
          <th scope="col">
            <Term of="cov_b" />
          </th>
          <th scope="col">runs</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, covered, runs }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {grouped(covered)} of {grouped(total)}
            </td>
            <td>{share(String(covered), String(total))}</td>
            <td>{grouped(runs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
