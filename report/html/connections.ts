import { seenIn } from '../connections/hint-text.ts';
import { columns, endName, endRemarks, sending } from '../connections/words.ts';
import type { Connection, Connections } from '../connections/shape.ts';
import { count, duration, grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';

/** Connections that the page shows; the json report has more. */
const mostShown = 200;
/** Of these, so many are shown without a click. */
const mostOpen = 20;

/** Lines below the figures that they are about. */
function remarksRow(remarks: readonly (string | Markup)[]): Markup | undefined {
  if (remarks.length === 0) return undefined;
  return html`<tr>
    <td colspan="${columns.length + 1}">
      <div class="remark">
        ${remarks.map((remark, i) => html`${i === 0 ? undefined : html`<br />`}${remark}`)}
      </div>
    </td>
  </tr>`;
}

/** `alone`: there is no other one, so that its hints are shown in full. */
function connectionRows(connection: Connection, alone: boolean): Markup {
  const { service, ends, first, last, mtu, violations, judged, hints } = connection;
  const rows = sending(connection);
  return html`<tbody>
    <tr>
      <th colspan="${columns.length + 1}" scope="rowgroup">
        <div class="head">
          ${service} ${endName(ends[0])} &ndash; ${endName(ends[1])}
          ${violations === 0 ? undefined : html`<span class="observed">${count(violations, 'violation')}</span>`}
          <br /><span class="dim">
            ${duration(first)} to ${duration(last)},${mtu === undefined ? undefined : html` path MTU ${mtu},`}
            judged: ${judged}
          </span>
        </div>
      </th>
    </tr>
    ${rows.map(
      ({ sign, end }) =>
        html`<tr>
            <td class="end">${sign === '->' ? '\u2192' : '\u2190'} from ${end.address}</td>
            ${columns.map(({ of }) => html`<td class="n">${of(end)}</td>`)}
          </tr>
          ${remarksRow(endRemarks(end))}`,
    )}
    ${remarksRow((alone ? hints : hints.map(seenIn)).map((hint) => html`<em>${hint}</em>`))}
  </tbody>`;
}

/** What is seen of several connections means, said once. */
function hintsPart(hints: Connections['hints']): Markup | undefined {
  if (hints.length === 0) return undefined;
  return html`<h3>What is seen, what it may mean, and of how many connections</h3>
    <table class="plain">
      <thead>
        <tr>
          <th class="n">connections</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${hints.map(
          ({ says, connections }) =>
            html`<tr>
              <td class="n">${grouped(connections)}</td>
              <td>${says}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function table(shown: readonly Connection[], alone: boolean): Markup {
  return html`<div class="scroll">
    <table class="plain connections">
      <thead>
        <tr>
          <th></th>
          ${columns.map(({ head }) => html`<th class="n">${head}</th>`)}
        </tr>
      </thead>
      ${shown.map((connection) => connectionRows(connection, alone))}
    </table>
  </div>`;
}

/** Who talks to whom, as a table. */
export function connectionsTable({ total, listed, hints }: Connections): Markup | undefined {
  if (total === 0) return undefined;
  const shown = listed.slice(0, mostShown);
  const [open, folded] = [shown.slice(0, mostOpen), shown.slice(mostOpen)];
  return html`${total === 1 ? undefined : hintsPart(hints)} ${table(open, total === 1)}
  ${
    folded.length === 0
      ? undefined
      : html`<details>
          <summary>${count(folded.length, 'connection')} more</summary>
          ${table(folded, false)}
        </details>`
  }
  ${total > shown.length ? html`<p class="dim">and ${grouped(total - shown.length)} more</p>` : undefined}`;
}
