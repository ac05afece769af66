import { fieldsText, hexBytes } from '../ladder/bytes.ts';
import { replayCommand } from '../failure.ts';
import { sortInfluences } from '../influences.ts';
import { ladderSvg } from '../ladder/svg.ts';
import { drawLadder } from '../ladder/ladder.ts';
import type { ReportContext } from '../reporter.ts';
import type { Failure, LadderLine } from '../results.ts';
import { duration } from '../text.ts';
import { elementId, html, trusted, type Markup } from './markup.ts';
import { badge, sources } from './rules.ts';

/** Lane of the ladder where the page is wide, and on a phone. */
const wideLane = 92;
const narrowLane = 41;
const textWidth = 110;

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

/** The ladder, wide and narrow, the same as text, and every packet of it taken apart. */
export function exchange(ladder: readonly LadderLine[], name: string, context: ReportContext): Markup {
  const idOf = (line: number): string => elementId('packet', `${name}-${line}`);
  const link = context.dissect === undefined ? {} : { link: (line: number) => `#${idOf(line)}` };
  const packets = ladder.flatMap((line, i) => packet(line, idOf(i), context) ?? []);
  return html`<div class="wide scroll">${trusted(ladderSvg(ladder, { lane: wideLane, ...link }))}</div>
    <div class="narrow scroll">${trusted(ladderSvg(ladder, { lane: narrowLane, ...link }))}</div>
    <details>
      <summary>The exchange as text</summary>
      <pre>${drawLadder(ladder, textWidth).join('\n')}</pre>
    </details>
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
                <td>${kept.length > 0 ? kept.join(', ') : html`<span class="dim">nothing tried</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function failurePart(failure: Failure, context: ReportContext): Markup {
  const { times, of } = failure.reproduced;
  const optional = (title: string, path: string | undefined): Markup | undefined =>
    path === undefined
      ? undefined
      : html`<dt>${title}</dt>
          <dd><code>${path}</code></dd>`;
  return html`<article
    class="failure ${failure.known ? 'old' : 'new'}"
    id="${elementId('failure', failure.rule)}"
    tabindex="-1"
  >
    <h3>
      ${badge(failure.known ? 'known' : failure.level === 'must' ? 'fail' : 'deviation')} ${failure.rule}
    </h3>
    <p>${failure.says}</p>
    <dl>
      <dt>expected</dt>
      <dd class="expected">${failure.expected}</dd>
      <dt>observed</dt>
      <dd class="observed">${failure.observed}</dd>
      <dt>level</dt>
      <dd>${failure.level}</dd>
      <dt>property</dt>
      <dd><code>${failure.property}</code></dd>
      <dt>reproduced</dt>
      <dd>${times} of ${of}</dd>
      ${optional('case file', failure.caseFile)}${optional('capture', failure.capture)}
    </dl>
    ${sources(failure.statements, context)}
    <h4>The smallest exchange that shows it</h4>
    ${exchange(failure.ladder, failure.rule, context)} ${influences(failure)}
    <h4>Run it again</h4>
    <div class="copy">
      <pre>${replayCommand(failure, context.adapter)}</pre>
      <button type="button" class="copies" hidden>copy</button>
    </div>
    <details>
      <summary>Token</summary>
      <pre style="white-space: pre-wrap; overflow-wrap: anywhere">${failure.token}</pre>
    </details>
    <details>
      <summary>The case as data</summary>
      <pre>${JSON.stringify(failure.scenario, undefined, 2)}</pre>
    </details>
  </article> `;
}

/** Every failure with what shows it; new ones first. */
export function failuresPart(failures: readonly Failure[], context: ReportContext): Markup | undefined {
  if (failures.length === 0) return undefined;
  const sorted = failures.toSorted((a, b) => Number(a.known) - Number(b.known));
  return html`${sorted.map((failure) => failurePart(failure, context))}`;
}
