import type { Cause } from '../causes/causes.ts';
import { seenText } from '../causes/occasion.ts';
import { whatIsWrong } from '../causes/text.ts';
import { conditionText } from '../influences.ts';
import type { ReportContext } from '../reporter.ts';
import type { Failure } from '../results.ts';
import { count } from '../text.ts';
import { failurePart, findingId, seenEntries } from './failures.ts';
import { ladderList } from './ladder.ts';
import { html, trusted, type Markup } from './markup.ts';
import { badge } from './rules.ts';

/** A finding that another one of its cause shows better: in short, with its exchange. */
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
    ${failure.known && failure.caseFile !== undefined ? undefined : ladderList(failure.ladder)}
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
  const { known, findings, consequences, matters } = cause;
  const [lead, ...more] = findings;
  const rules = new Set([...findings, ...consequences].map(({ rule }) => rule)).size;
  const word = known ? 'known' : lead?.level === 'must' ? 'fail' : 'deviation';
  const [part] = matters;
  return html`<details class="cause ${known ? 'old' : 'new'}">
    <summary>
      <span class="rank">${rank}</span>${badge(word)}<span class="name"
        >${whatIsWrong(cause)} <span class="dim">${seenText(cause)}</span></span
      ><span class="n">${lead?.rule}${rules > 1 ? `, ${count(rules, 'rule')}` : ''}</span>
    </summary>
    ${part === undefined ? undefined : html`<p>Only with ${conditionText(part)}</p>`}
    ${lead === undefined ? undefined : failurePart(lead, context, first)}
    ${asides('The same by other rules', more, first)} ${asides('What follows from it', consequences, first)}
  </details> `;
}

/** Causes of one impact that stand together, new or known. */
interface Group {
  impact: Cause['impact'];
  known: boolean;
  causes: { cause: Cause; rank: number }[];
}

function groupsOf(causes: readonly Cause[]): Group[] {
  const groups: Group[] = [];
  for (const [i, cause] of causes.entries()) {
    const { impact, known } = cause;
    const last = groups.at(-1);
    if (last?.known === known && last.impact?.id === impact?.id) last.causes.push({ cause, rank: i + 1 });
    else groups.push({ impact, known, causes: [{ cause, rank: i + 1 }] });
  }
  return groups;
}

/** Causes that are listed before anything is opened; beyond them a line for each group. */
const listed = 20;

/** What was found, a line for each cause, by impact; news first, then the gravest. Everything else is in the line, folded. */
export function causesPart(causes: readonly Cause[], context: ReportContext): Markup | undefined {
  if (causes.length === 0) return undefined;
  const all = causes.flatMap(({ findings, consequences }) => [...findings, ...consequences]);
  const first = new Set(new Map(all.toReversed().map((failure) => [failure.rule, failure])).values());
  const group = ({ impact, known, causes: own }: Group): Markup => {
    const open = (own.at(-1)?.rank ?? 0) <= Math.max(listed, own[0]?.rank === 1 ? causes.length : 0);
    return html`<details class="impact" ${open ? trusted('open') : undefined}>
      <summary>
        <strong>${impact?.id ?? 'causes'}</strong> ${count(own.length, known ? 'known cause' : 'cause')}
        <span class="dim">${impact?.says}</span>
      </summary>
      ${own.map(({ cause, rank }) => causePart(cause, rank, first, context))}
    </details> `;
  };
  return html`${groupsOf(causes).map(group)}`;
}
