import type { CoverageStatus, DocumentCoverage } from '../coverage.ts';
import { count, grouped } from '../text.ts';
import { elementId, html, linked, type Markup } from './markup.ts';
import { badge } from './rules.ts';

/** In the order of the bar; what is not done stands first in the list. */
const barOrder: readonly CoverageStatus[] = [
  'proved',
  'covered',
  'leads-on',
  'model',
  'excused',
  'unsupported',
  'unexercised',
  'unproved',
  'open',
];

function documentPart(document: DocumentCoverage): Markup {
  const total = document.statements.length;
  const present = barOrder.filter((status) => document.counts[status] > 0);
  const listed = present.toReversed().map((status) => {
    const members = document.statements.filter((statement) => statement.status === status);
    return html`<details>
      <summary>${badge(status)} ${count(members.length, 'statement')}</summary>
      ${members.map(
        (statement) =>
          html`<div class="statement" id=${elementId('statement', statement.id)}>
            <p><code>${statement.id}</code> <span class="dim">${statement.section}</span></p>
            <p>${statement.statement}</p>
            ${statement.excuse === undefined ? undefined : html`<p class="dim">${statement.excuse}</p>`}${
              statement.rules.length === 0 ? undefined : linked('p', 'rule', statement.rules)
            }
          </div>`,
      )}
    </details>`;
  });
  const words = present.map((status) => `${grouped(document.counts[status])} ${status}`).join(', ');
  return html`<h3>${document.id} <span class="dim">${count(total, 'statement')}</span></h3>
    <div class="bar-of" role="img" aria-label="${words}">
      ${present.map(
        (status) =>
          html`<span
            class="b-${status}"
            style="width: ${((100 * document.counts[status]) / total).toFixed(2)}%"
          ></span>`,
      )}
    </div>
    <p class="dim">${words}</p>
    ${listed}`;
}

/** By source document: how many of its statements are covered by rules that this run exercised, and which. */
export function coveragePart(documents: readonly DocumentCoverage[] | undefined): Markup | undefined {
  if (documents === undefined || documents.length === 0) return undefined;
  return html`<p class="dim">
      Statements of the source documents, by what covers them and whether this run exercised it.
    </p>
    ${documents.map((document) => documentPart(document))}`;
}
