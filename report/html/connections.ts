import { seenIn } from '../connections/hint-text.ts';
import { columns, endName, endRemarks, sending } from '../connections/words.ts';
import type { Connection, Connections } from '../connections/shape.ts';
import { count, duration, grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';

/** Connections that the page shows; the json report has more. */
const mostShown = 200;

/** `alone`: there is no other one, so that its hints are shown in full. */
function connectionRows(connection: Connection, alone: boolean): Markup {
  const { service, ends, first, last, mtu, violations, judged, hints } = connection;
  const rows = sending(connection);
  return html`<tbody>
    <tr>
      <th colspan="${columns.length + 1}" scope="rowgroup">
        ${service} ${endName(ends[0])} &ndash; ${endName(ends[1])}
        ${violations === 0 ? undefined : html`<span class="observed">${count(violations, 'violation')}</span>`}
        <p class="dim">
          ${duration(first)} to ${duration(last)},${mtu === undefined ? undefined : html` path MTU ${mtu},`}
          judged: ${judged}
        </p>
      </th>
    </tr>
    ${rows.map(
      ({ sign, end }) =>
        html`<tr>
            <td>${sign === '->' ? '\u2192' : '\u2190'} from ${end.address}</td>
            ${columns.map(({ of }) => html`<td class="n">${of(end)}</td>`)}
          </tr>
          ${endRemarks(end).map(
            (remark) =>
              html`<tr>
                <td></td>
                <td colspan="${columns.length}">${remark}</td>
              </tr>`,
          )}`,
    )}
    ${(alone ? hints : hints.map(seenIn)).map(
      (hint) =>
        html`<tr>
          <td></td>
          <td colspan="${columns.length}"><em>${hint}</em></td>
        </tr>`,
    )}
  </tbody>`;
}

/** What is seen of several connections means, said once. */
function hintsPart(hints: Connections['hints']): Markup | undefined {
  if (hints.length === 0) return undefined;
  return html`<h3>What that may mean, and of how many connections</h3>
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

/** Who talks to whom, as a table. */
export function connectionsTable({ total, listed, hints }: Connections): Markup | undefined {
  if (total === 0) return undefined;
  const shown = listed.slice(0, mostShown);
  return html`<div class="scroll">
      <table class="plain connections">
        <thead>
          <tr>
            <th></th>
            ${columns.map(({ head }) => html`<th class="n">${head}</th>`)}
          </tr>
        </thead>
        ${shown.map((connection) => connectionRows(connection, total === 1))}
      </table>
    </div>
    ${total > shown.length ? html`<p class="dim">and ${grouped(total - shown.length)} more</p>` : undefined}
    ${total === 1 ? undefined : hintsPart(hints)}`;
}
