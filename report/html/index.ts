import type { CheckResult, CheckViolation } from '../check-results.ts';
import { frameName, judgedIn, placeOf, reasonsOf, summaryOf } from '../check-words.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import { newsOf } from '../news.ts';
import type { ReportContext } from '../reporter.ts';
import type { PropertyResult, RunResult } from '../results.ts';
import { endedText } from '../summary.ts';
import { count, dateText, duration, grouped, runTime } from '../text.ts';
import { coveragePart } from './coverage.ts';
import { causesPart } from './causes.ts';
import { connectionsTable } from './connections.ts';
import { exchange, sourceEntry } from './failures.ts';
import { elementId, html, type Markup } from './markup.ts';
import { page } from './page.ts';
import { picturesPart, picturesStyle } from './pictures.ts';
import {
  badge,
  legend,
  machineTable,
  matrix,
  rulesPart,
  sourceLinks,
  sources,
  wordCounts,
  wordOf,
} from './rules.ts';

/** Errors, of which the first line says most: behind it may stand all that a machine has printed. */
function errorList(errors: readonly string[]): Markup | undefined {
  if (errors.length === 0) return undefined;
  const item = (error: string): Markup => {
    const [first = '', ...rest] = error.split('\n');
    if (rest.length < 3) return html`<li>${error}</li>`;
    return html`<li>
      <details>
        <summary>${first}</summary>
        <pre>${rest.join('\n')}</pre>
      </details>
    </li>`;
  };
  return html`<ul>
    ${errors.map(item)}
  </ul>`;
}

function list(items: readonly string[]): Markup | undefined {
  return items.length === 0
    ? undefined
    : html`<ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;
}

function countsText(result: Pick<RunResult, 'rules'>): string {
  return wordCounts(result.rules)
    .map(([word, n]) => `${grouped(n)} ${word}`)
    .join(', ');
}

function ruleLinks(ids: readonly string[], prefix: string): Markup[] {
  return ids.map(
    (id, i) => html`${i === 0 ? '' : ', '}<a href="#${elementId(prefix, id.replace(/ .*/, ''))}">${id}</a>`,
  );
}

/** What came of the run, in a sentence and its colour. */
function verdictOf(result: RunResult): { kind: 'fail' | 'warn' | 'pass'; text: string } {
  const broken = result.rules.filter((rule) => wordOf(rule) === 'fail').length;
  const known = result.rules.filter((rule) => wordOf(rule) === 'known').length;
  const aside = known > 0 ? `, ${count(known, 'known divergence')}` : '';
  if (result.errors.length > 0)
    return { kind: 'fail', text: 'Something broke: the results are not complete' };
  if (broken > 0) return { kind: 'fail', text: `${count(broken, 'rule')} broken${aside}` };
  if (result.unexpectedPasses.length > 0)
    return { kind: 'fail', text: `A known divergence did not show${aside}` };
  const open = result.counts.inconclusive;
  if (open > 0 || result.interrupted || result.endedByDevice !== undefined) {
    return {
      kind: 'warn',
      text: `${known > 0 ? 'Nothing new seen' : 'No rule seen broken'}${aside}; ${count(open, 'rule')} inconclusive`,
    };
  }
  return { kind: 'pass', text: `${known > 0 ? 'Nothing new' : 'No rule broken'}${aside}` };
}

function textOf(profile: unknown, key: string): string | undefined {
  const found: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, key) : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** What was run, on what, when, and how long it took. */
function factsOf(result: RunResult, { version }: ReportContext): Markup {
  const { adapter, seed, spec, begun, command, durationMs } = result;
  const device = [adapter.name, textOf(adapter.profile, 'version')].filter((part) => part !== undefined);
  const facts: [string, Markup | string | undefined][] = [
    ['device', device.join(', ')],
    ['begun', begun === undefined ? undefined : dateText(begun)],
    ['command', command === undefined ? undefined : html`<code>${command}</code>`],
    ['duration', runTime(durationMs)],
    ['made by', html`rdma-conform ${version}, seed ${seed}, rules <code>${spec}</code>`],
  ];
  return html`<dl class="facts">
    ${facts.map(([name, value]) =>
      value === undefined
        ? undefined
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** Folded: what few readers want to see, and what would be long. */
function folded(title: string, body: Markup | undefined): Markup | undefined {
  return body === undefined
    ? undefined
    : html`<details class="part">
        <summary>${title}</summary>
        ${body}
      </details>`;
}

function runHead(result: RunResult, causes: readonly Cause[], context: ReportContext): Markup {
  const { kind, text } = verdictOf(result);
  const news = newsOf(result);
  const ended = endedText(result);
  const fresh = causes.filter(({ known }) => !known).length;
  const exercised = result.rules.filter((rule) => rule.exercised > 0).length;
  return html`<h1>${result.adapter.name}</h1>
    ${factsOf(result, context)}
    <div class="sum ${kind}">
      <strong>${text}</strong>
      <p>${countsText(result)}</p>
      <p class="dim">
        ${count(result.cases, 'case')}, ${count(result.packets, 'packet')}, ${grouped(exercised)} of
        ${count(result.rules.length, 'rule')} exercised
      </p>
      ${causes.length === 0 ? undefined : html`<p>${count(causes.length, 'cause')}${news === undefined ? '' : `, ${fresh} of them new`}</p>`}
      ${result.unexpectedPasses.length === 0 ? undefined : html`<p>Gone: ${ruleLinks(result.unexpectedPasses, 'rule')}</p>`}
    </div>
    ${(result.partial ?? []).map(
      (why) =>
        html`<div class="sum warn">
          <strong>Partial</strong>
          <p>${why}</p>
        </div>`,
    )}
    ${
      ended === undefined
        ? undefined
        : html`<div class="sum warn">
            <strong>Ended early</strong>
            <p>${ended}</p>
          </div>`
    }
    ${
      result.interrupted
        ? html`<div class="sum warn">
            <strong>Interrupted</strong>
            <p>This is what was found until then.</p>
          </div>`
        : undefined
    }`;
}

function propertiesPart(properties: readonly PropertyResult[]): Markup | undefined {
  if (properties.length === 0) return undefined;
  return html`<div class="scroll">
    <table class="plain">
      <thead>
        <tr>
          <th>verdict</th>
          <th>property</th>
          <th class="n">cases</th>
          <th>says</th>
        </tr>
      </thead>
      <tbody>
        ${properties.map(
          (property) =>
            html`<tr>
              <td>
                ${badge(property.known === true && property.verdict !== 'error' ? 'known' : property.verdict)}
              </td>
              <td><code>${property.id}</code></td>
              <td class="n">${grouped(property.cases)}</td>
              <td>
                ${property.says}${property.error === undefined ? undefined : html`<br /><span class="observed">${property.error}</span>`}${property.why === undefined ? undefined : html`<br /><span class="dim">${property.why}</span>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function notJudgedPart(items: readonly { what: string; count: number }[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<table class="plain">
    <tbody>
      ${items.map(
        ({ what, count: n }) =>
          html`<tr>
            <td class="n">${grouped(n)}</td>
            <td>${what}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const footer = (context: ReportContext): Markup =>
  html`Made by rdma-conform ${context.version}. Keys: <kbd>/</kbd> search, <kbd>n</kbd> <kbd>p</kbd> next and
    previous failure, arrows within the matrix.`;

/** The report of a run: one self-contained page. */
export function htmlRun(result: RunResult, context: ReportContext): string {
  const coverage = context.coverage?.();
  const failed = new Set(result.failures.map(({ rule }) => rule));
  const causes = causesOf(result);
  return page({
    title: `rdma-conform: ${result.adapter.name}`,
    head: runHead(result, causes, context),
    parts: [
      { id: 'errors', title: 'Internal errors', short: 'Errors', body: errorList(result.errors) },
      {
        id: 'causes',
        title: `Causes (${causes.length}), the gravest first`,
        short: `Causes (${causes.length})`,
        body: causesPart(causes, context),
      },
      {
        id: 'machines',
        title: 'Rules by machine',
        short: 'Machines',
        body: html`${legend(result.rules)}${machineTable(result.rules)}
        ${folded('A cell for each rule', matrix(result.rules))}`,
      },
      {
        id: 'rules',
        title: `Rules (${result.rules.length})`,
        short: 'Rules',
        body: rulesPart(result.rules, failed, context),
      },
      {
        id: 'coverage',
        title: 'Coverage by document',
        short: 'Coverage',
        body: folded('Statements by document', coveragePart(coverage)),
      },
      {
        id: 'properties',
        title: 'Properties',
        short: 'Properties',
        body: folded(
          count(result.properties.length, 'property', 'properties'),
          propertiesPart(result.properties),
        ),
      },
      {
        id: 'not-judged',
        title: 'Not judged',
        short: 'Not judged',
        body: folded(count(result.notJudged.length, 'reason'), notJudgedPart(result.notJudged)),
      },
      {
        id: 'profile',
        title: 'Device profile',
        short: 'Profile',
        body: folded(
          'As it was before the run',
          html`<pre>${JSON.stringify(result.adapter.profile, undefined, 2)}</pre>`,
        ),
      },
    ],
    footer: footer(context),
  });
}

function violationPart(
  violation: CheckViolation,
  index: number,
  first: boolean,
  context: ReportContext,
): Markup {
  const { rule, ladder, ends } = violation;
  const id = first ? elementId('failure', rule) : elementId('failure', `${rule}-${index}`);
  return html`<article class="failure new" id="${id}" tabindex="-1">
    <h3>${badge(violation.level === 'must' ? 'fail' : 'deviation')} ${rule}</h3>
    <p>${violation.says}</p>
    <dl>
      <dt>where</dt>
      <dd>${placeOf(violation)}, ${duration(violation.t)}, ${violation.qp}</dd>
      <dt>expected</dt>
      <dd class="expected">${violation.expected}</dd>
      <dt>observed</dt>
      <dd class="observed">${violation.observed}</dd>
      ${sourceEntry(violation)}${sourceLinks(violation.statements, context)}
    </dl>
    ${sources(violation.statements, context)}
    ${ladder === undefined ? undefined : exchange(ladder, `${rule}-${index}`, context, 'all', ends)}
  </article> `;
}

function checkHead(result: CheckResult, context: ReportContext): Markup {
  const { kind, text, seen } = summaryOf(result);
  return html`<h1>${result.file}</h1>
    <p class="facts">rdma-conform ${context.version}, rules <code>${result.spec}</code></p>
    <div class="sum ${kind}">
      <strong>${text}</strong>
      <p>${countsText(result)}</p>
      ${seen.map((sentence) => html`<p>${sentence}</p>`)}
      <p class="dim">${judgedIn(result)}</p>
    </div>
    ${
      result.damage === undefined
        ? undefined
        : html`<div class="sum warn">
            <strong>Damaged</strong>
            <p>
              At byte ${grouped(result.damage.offset)}: ${result.damage.message}. What stands before was
              judged.
            </p>
          </div>`
    }`;
}

/** The report on a capture: one self-contained page. */
export function htmlCheck(result: CheckResult, context: ReportContext): string {
  const failed = new Set(result.violations.map(({ rule }) => rule));
  const violations = result.violations.map((violation, i) =>
    violationPart(violation, i, result.violations.findIndex((v) => v.rule === violation.rule) === i, context),
  );
  const skipped = result.skipped.map(
    ({ kind, reason, count: n, firstFrame: frame, file }) =>
      `${grouped(n)} ${kind}: ${reason} (first: ${frameName({ frame, ...(file !== undefined && { file }) })})`,
  );
  const pictures = context.pictures?.();
  return page({
    ...(pictures !== undefined && { style: picturesStyle }),
    title: `rdma-conform: ${result.file}`,
    head: checkHead(result, context),
    parts: [
      { id: 'errors', title: 'Errors', short: 'Errors', body: errorList(result.errors) },
      {
        id: 'connections',
        title: 'Connections, worst first',
        short: 'Connections',
        body: result.connections === undefined ? undefined : connectionsTable(result.connections),
      },
      {
        id: 'pictures',
        title: 'Pictures',
        short: 'Pictures',
        body: pictures === undefined ? undefined : picturesPart(pictures),
      },
      { id: 'matrix', title: 'Rules by verdict', short: 'Matrix', body: matrix(result.rules) },
      {
        id: 'failures',
        title: `Violations (${violations.length})`,
        short: `Violations (${violations.length})`,
        body: violations.length === 0 ? undefined : html`${violations}`,
      },
      { id: 'rules', title: 'Rules', short: 'Rules', body: rulesPart(result.rules, failed, context) },
      {
        id: 'skipped',
        title: 'Frames that were no judgeable packets',
        short: 'Skipped',
        body: list(skipped),
      },
      { id: 'inconclusive', title: 'Inconclusive', short: 'Inconclusive', body: list(reasonsOf(result)) },
      {
        id: 'not-judged',
        title: 'Not judged',
        short: 'Not judged',
        body: notJudgedPart(result.notJudged),
      },
    ],
    footer: footer(context),
  });
}
