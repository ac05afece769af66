import { badge } from '../html/rules.ts';
import { html, type Markup } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { count } from '../text.ts';
import { columnText, type CauseRow, type Matrix, type RuleRow } from './matrix.ts';

const style = `
main { max-width: 1400px; }
table.runs td, table.runs th { padding: .2rem .5rem; } table.runs .c { text-align: center; }
table.runs tr > :first-child { overflow-wrap: normal; white-space: nowrap; } table.runs tr > :nth-child(2) { min-width: 18rem; }
table.runs tr.cause > * { background: var(--panel); font-weight: 600; } table.runs td.changed { background: var(--mark); }
table.runs td > small { display: block; color: var(--dim); white-space: normal; max-width: 16rem; text-align: left; }
`;

/** Whether the runs that judged a rule differ in it. */
function changed({ cells }: RuleRow): boolean {
  const judged = cells.filter(({ verdict }) => !['vacuous', 'unsupported', 'absent'].includes(verdict));
  return new Set(judged.map(({ verdict, signatures }) => [verdict, ...signatures].join('\n'))).size > 1;
}

function ruleRow(row: RuleRow): Markup {
  const differs = changed(row) ? ' changed' : '';
  return html`<tr>
    <td></td>
    <td title="${row.says}"><code>${row.rule}</code></td>
    ${row.cells.map(
      ({ verdict, exercised, violations, signatures }) =>
        html`<td class="c${differs}" title="${violations} of ${exercised}">
          ${badge(verdict)}${signatures.map((text) => html`<small>${text}</small>`)}
        </td>`,
    )}
  </tr>`;
}

function causeRows({ name, impact, findings, rules }: CauseRow): Markup {
  return html`<tr class="cause">
      <td>${impact}</td>
      <td>${name}</td>
      ${findings.map((n) => html`<td class="c">${n === 0 ? '' : n}</td>`)}
    </tr>
    ${rules.map(ruleRow)}`;
}

/** The matrix as one page, all in one file. */
export function matrixHtml(matrix: Matrix, version: string): string {
  const { runs, causes, cautions, kept } = matrix;
  const body = html`<div class="scroll">
    <table class="plain runs">
      <thead>
        <tr>
          <th>impact</th>
          <th>cause, rules</th>
          ${runs.map(({ name }) => html`<th class="c">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${causes.map(causeRows)}
      </tbody>
    </table>
  </div>`;
  return page({
    title: `rdma-conform: ${count(runs.length, 'run')}`,
    head: html`<h1>${count(runs.length, 'run')} beside each other</h1>
      <ul>
        ${runs.map((run) => html`<li>${columnText(run)}, seed ${run.seed}, ${count(run.cases, 'case')}</li>`)}
      </ul>
      ${cautions.map((text) => html`<div class="sum warn"><p>${text}</p></div>`)}
      <p>
        ${count(causes.length, 'cause')}; ${count(kept, 'rule')} that no run breaks. A row in bold is a cause
        with the number of its findings; below it are its rules. Marked: the runs differ.
      </p>`,
    style,
    parts: [{ id: 'matrix', title: 'Causes and rules', short: 'Matrix', body }],
    footer: html`<p>Made by rdma-conform ${version}</p>`,
  });
}
