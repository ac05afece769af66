import { fieldsText, hexBytes } from '../ladder/bytes.ts';
import { replayCommand, reproducedText, sourceText } from '../failure.ts';
import { sortInfluences } from '../influences.ts';
import type { ReportContext } from '../reporter.ts';
import { findingName, type Demand, type Failure, type LadderEnds, type LadderLine } from '../results.ts';
import { duration } from '../text.ts';
import { elementId, html, trusted, type Markup } from './markup.ts';
import { ladderList } from './ladder.ts';
import { badge, sourceLinks, sources } from './rules.ts';

function packet(line: LadderLine, id: string, context: ReportContext): Markup | undefined {
  const { frame, guilty, text, t } = line;
  if (frame === undefined || context.dissect === undefined) return undefined;
  const rows = context.dissect(frame).map(
    (layer) =>
      html`<tr>
        <th scope="row">${layer.name}</th>
        <td class="mono">${hexBytes(frame, layer)}</td>
        <td>${fieldsText(layer)}</td>
      </tr>`,
  );
  return html`<details
    class="packet${guilty === true ? ' guilty' : ''}"
    id="${id}"
    ${guilty === true ? trusted(' open') : undefined}
  >
    <summary>
      ${duration(t)} ${line.kind === 'from-dut' ? '←' : '→'} <span class="mono">${text}</span>
    </summary>
    <div class="scroll">
      <table class="bytes">
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** The ladder, and its packets taken apart: all, or the guilty one. */
export function exchange(
  ladder: readonly LadderLine[],
  name: string,
  context: ReportContext,
  which: 'all' | 'guilty' = 'all',
  ends?: LadderEnds,
): Markup {
  const taken = (line: number): boolean => which === 'all' || ladder[line]?.guilty === true;
  const idOf = (line: number): string => elementId('packet', `${name}-${line}`);
  const linked = (line: number): boolean =>
    context.dissect !== undefined && ladder[line]?.frame !== undefined && taken(line);
  const packets = ladder.flatMap((line, i) => (taken(i) ? (packet(line, idOf(i), context) ?? []) : []));
  return html`${ladderList(ladder, (line) => (linked(line) ? `#${idOf(line)}` : undefined), ends)}
  ${
    packets.length === 0
      ? undefined
      : html`<h4>Packets, byte by byte</h4>
          ${packets}`
  }`;
}

function influences(failure: Failure): Markup | undefined {
  const { matter, rest } = sortInfluences(failure.influences ?? []);
  if (matter.length + rest.length === 0) return undefined;
  return html`<h4>What matters</h4>
    <div class="scroll">
      <table class="what">
        <thead>
          <tr>
            <th>part of the case</th>
            <th>is</th>
            <th>broken as well with</th>
            <th>kept with</th>
          </tr>
        </thead>
        <tbody>
          ${[...matter, ...rest].map(
            ({ what, is, broken, kept }) =>
              html`<tr>
                <td>${kept.length > 0 ? html`<strong>${what}</strong>` : what}</td>
                <td>${is}</td>
                <td>${broken.join(', ') || '–'}</td>
                <td>
                  ${kept.length > 0 ? kept.join(', ') : html`<span class="dim">nothing that was tried</span>`}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** What a case file holds, where there is none. */
function caseData({ token, scenario }: Failure): Markup {
  return html`<details>
      <summary>Token</summary>
      <pre style="white-space: pre-wrap; overflow-wrap: anywhere">${token}</pre>
    </details>
    <details>
      <summary>The case as data</summary>
      <pre>${JSON.stringify(scenario)}</pre>
    </details>`;
}

/** Id of a finding in the page: the first one of a rule is where the rule's line leads to. */
export function findingId(failure: Failure, first: ReadonlySet<Failure>): string {
  return first.has(failure) ? elementId('failure', failure.rule) : elementId('finding', findingName(failure));
}

/** What was expected and what was observed, as entries of a list. */
export function seenEntries({ expected, observed }: Failure): Markup {
  return html`<dt>expected</dt>
    <dd class="expected">${expected}</dd>
    <dt>observed</dt>
    <dd class="observed">${observed}</dd>`;
}

/** What the rule rests on beside statements, as an entry of a list. */
export function sourceEntry(demand: Demand): Markup | undefined {
  const text = sourceText(demand);
  return text === undefined
    ? undefined
    : html`<dt>source</dt>
        <dd>${text}</dd>`;
}

function known({ divergence }: Failure): Markup | undefined {
  if (divergence === undefined) return undefined;
  const { reason, link } = divergence;
  return html`<dt>known</dt>
    <dd>
      ${reason}${link === undefined ? undefined : html` <a href="${link}">${link.split('/').at(-1)}</a>`}
    </dd>`;
}

/** A finding with everything that shows it. `first`: those that a rule's line leads to. */
export function failurePart(failure: Failure, context: ReportContext, first: ReadonlySet<Failure>): Markup {
  const optional = (title: string, path: string | undefined, more = ''): Markup | undefined =>
    path === undefined
      ? undefined
      : html`<dt>${title}</dt>
          <dd><code>${path}</code>${more}</dd>`;
  // one path for both: a report has hundreds of them
  const beside =
    failure.capture !== undefined && failure.capture === failure.caseFile?.replace(/json$/, 'pcapng');
  return html`<article
    class="failure ${failure.known ? 'old' : 'new'}"
    id="${findingId(failure, first)}"
    tabindex="-1"
  >
    <h3>
      ${badge(failure.known ? 'known' : failure.level === 'must' ? 'fail' : 'deviation')} ${failure.rule}
    </h3>
    <p>${failure.says}</p>
    <dl>
      ${seenEntries(failure)}${optional('signature', failure.signature)}${known(failure)}
      <dt>level</dt>
      <dd>${failure.level}</dd>
      <dt>property</dt>
      <dd><code>${failure.property}</code></dd>
      <dt>reproduced</dt>
      <dd>${reproducedText(failure)}</dd>
      ${sourceEntry(failure)}${sourceLinks(failure.statements, context)}
      ${optional('case file', failure.caseFile, beside ? ' and .pcapng' : '')}${beside ? undefined : optional('capture', failure.capture)}
    </dl>
    ${sources(failure.statements, context)}
    <h4>
      ${failure.unshrunk === true ? 'An exchange that shows it, not fully shrunk: see replay --shrink' : 'The smallest exchange that shows it'}
    </h4>
    ${exchange(failure.ladder, findingName(failure), context, 'guilty')} ${influences(failure)}
    <h4>Run it again</h4>
    <div class="copy">
      <pre>${replayCommand(failure, context.adapter)}</pre>
    </div>
    ${failure.caseFile === undefined ? caseData(failure) : undefined}
  </article> `;
}
