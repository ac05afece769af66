import { columns, endName, endRemarks, sending } from '../connections/words.ts';
import type { Connection, Connections } from '../connections/shape.ts';
import { count, duration, grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';

/** Connections that the page shows; the json report has more. */
const mostShown = 200;

function connectionRows(connection: Connection): Markup {
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
    ${hints.map(
      (hint) =>
        html`<tr>
          <td></td>
          <td colspan="${columns.length}"><em>${hint}</em></td>
        </tr>`,
    )}
  </tbody>`;
}

/** Who talks to whom, as a table. */
export function connectionsTable({ total, listed }: Connections): Markup | undefined {
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
        ${shown.map(connectionRows)}
      </table>
    </div>
    ${total > shown.length ? html`<p class="dim">and ${grouped(total - shown.length)} more</p>` : undefined}`;
}
