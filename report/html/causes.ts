import type { Cause } from '../causes.ts';
import { influenceText } from '../influences.ts';
import { drawLadder } from '../ladder/ladder.ts';
import type { ReportContext } from '../reporter.ts';
import type { Failure } from '../results.ts';
import { count } from '../text.ts';
import { failurePart, findingId, seenEntries } from './failures.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './rules.ts';

const textWidth = 100;

/** A finding that another one of its cause shows better: in short, its exchange as text. */
function aside(failure: Failure, first: ReadonlySet<Failure>): Markup {
  return html`<details class="aside" id="${findingId(failure, first)}">
    <summary><code>${failure.rule}</code> <span class="dim">${failure.signature}</span></summary>
    <p>${failure.says}</p>
    <dl>
      ${seenEntries(failure)}
      ${
        failure.caseFile === undefined
          ? undefined
          : html`<dt>case file</dt>
              <dd><code>${failure.caseFile}</code></dd>`
      }
    </dl>
    ${failure.known && failure.caseFile !== undefined ? undefined : html`<pre>${drawLadder(failure.ladder, textWidth).join('\n')}</pre>`}
  </details> `;
}

function asides(
  title: string,
  failures: readonly Failure[],
  first: ReadonlySet<Failure>,
): Markup | undefined {
  if (failures.length === 0) return undefined;
  return html`<h4>${title}</h4>
    ${failures.map((failure) => aside(failure, first))}`;
}

function causePart(cause: Cause, rank: number, first: ReadonlySet<Failure>, context: ReportContext): Markup {
  const { name, impact, known, findings, consequences, matters } = cause;
  const [lead, ...more] = findings;
  const rules = new Set([...findings, ...consequences].map(({ rule }) => rule)).size;
  const word = known ? 'known' : lead?.level === 'must' ? 'fail' : 'deviation';
  const [part] = matters;
  return html`<details class="cause ${known ? 'old' : 'new'}">
    <summary>
      <span class="rank">${rank}</span>${badge(word)}<span class="impact" title="${impact?.says}"
        >${impact?.id}</span
      ><span class="name">${name}</span
      ><span class="n">${lead?.rule}${rules > 1 ? `, ${count(rules, 'rule')}` : ''}</span>
    </summary>
    ${impact === undefined ? undefined : html`<p>${impact.says}</p>`}
    ${part === undefined ? undefined : html`<p>Nothing of this is broken without it: ${influenceText(part)}</p>`}
    ${lead === undefined ? undefined : failurePart(lead, context, first)}
    ${asides('The same by other rules', more, first)} ${asides('What follows from it', consequences, first)}
  </details> `;
}

/** What was found, a line for each cause; news first, then the gravest. Everything else is in the line, folded. */
export function causesPart(causes: readonly Cause[], context: ReportContext): Markup | undefined {
  if (causes.length === 0) return undefined;
  const all = causes.flatMap(({ findings, consequences }) => [...findings, ...consequences]);
  const first = new Set(new Map(all.toReversed().map((failure) => [failure.rule, failure])).values());
  return html`${causes.map((cause, i) => causePart(cause, i + 1, first, context))}`;
}
