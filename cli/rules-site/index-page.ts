import type { Rule } from '../../oracle/rules.ts';
import { html, trusted, type Markup } from '../../report/html/markup.ts';
import { page } from '../../report/html/page.ts';
import { ruleDetails, searchControls } from '../../report/html/rules.ts';
import { levels } from '../../report/results.ts';
import { stateStyle, stateSvg, type StateDiagram } from '../../report/state-diagram.ts';
import { count, grouped } from '../../report/text.ts';
import {
  commas,
  documentPage,
  ruleLink,
  siteFooter,
  siteLinks,
  siteStyle,
  tablePage,
  type Place,
  type SiteSource,
} from './words.ts';

const here: Place = { up: '' };

function ruleRow(rule: Rule, source: SiteSource): Markup {
  const searched = [rule.id, rule.says, rule.table, ...rule.covers, rule.erratum ?? '', rule.latitude ?? ''];
  return ruleDetails({
    id: rule.id,
    word: rule.level,
    level: rule.level,
    searched,
    body: html`<div>
      <p>${rule.says}</p>
      <p>${ruleLink(rule.id, source, here)} in its table</p>
    </div>`,
  });
}

/** The first page: search over all rules, the tables, the documents. */
export function indexHtml(source: SiteSource): string {
  const { set, documents } = source;
  const tables = [...set.tables.values()];
  const ofLevel = (level: string): number => set.rules.filter((rule) => rule.level === level).length;
  const statements = [...documents.values()].reduce((n, list) => n + list.length, 0);
  return page({
    title: 'Rules of rdma-conform',
    style: siteStyle,
    links: siteLinks(here),
    head: html`<h1>Rules of rdma-conform</h1>
      <p class="facts">
        ${count(set.rules.length, 'rule')} in ${count(tables.length, 'table')}, for ${grouped(statements)}
        statements of ${count(documents.size, 'document')}. Complete and free of contradiction: every case of
        every table is decided.
      </p>`,
    parts: [
      {
        id: 'tables',
        title: 'Tables',
        short: 'Tables',
        body: html`<ul class="tables">
          ${tables.map(
            ({ id, rules }) =>
              html`<li><a href="${tablePage(id)}">${id}</a> <span class="dim">${rules.length}</span></li>`,
          )}
        </ul>`,
      },
      {
        id: 'documents',
        title: 'Statements',
        short: 'Documents',
        body: html`<ul>
          ${[...documents].map(
            ([id, list]) =>
              html`<li>
                <a href="${documentPage(id)}">${id}</a>
                <span class="dim">${count(list.length, 'statement')}</span>
              </li>`,
          )}
        </ul>`,
      },
      {
        id: 'rules',
        title: `All rules (${set.rules.length})`,
        short: 'All rules',
        body: html`${searchControls(levels.map((level) => [level, ofLevel(level)]))}
        ${tables.map(
          ({ id, about, rules }) =>
            html`<section class="table">
              <h3><a href="${tablePage(id)}">${id}</a></h3>
              <p class="dim">${about}</p>
              ${rules.map((rule) => ruleRow(rule, source))}
            </section>`,
        )}`,
      },
    ],
    footer: siteFooter(source),
  });
}

function diagramPart(diagram: StateDiagram, source: SiteSource): Markup {
  const cause = (text: string): Markup =>
    source.set.rule(text) === undefined ? html`${text}` : ruleLink(text, source, here);
  return html`<p>${diagram.about}</p>
    <div class="diagram">
      <div>${trusted(stateSvg(diagram))}</div>
      <div>
        <table class="plain">
          <thead>
            <tr>
              <th class="n">edge</th>
              <th>from</th>
              <th>to</th>
              <th>by</th>
            </tr>
          </thead>
          <tbody>
            ${diagram.edges.map(
              ({ from, to, causes }, i) =>
                html`<tr>
                  <td class="n">${i + 1}</td>
                  <td>${from ?? 'any'}</td>
                  <td>${to}</td>
                  <td>${commas(causes.map(cause))}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </div>`;
}

/** All state diagrams, each with what causes its edges. */
export function diagramsHtml(diagrams: readonly StateDiagram[], source: SiteSource): string {
  return page({
    title: 'State diagrams of rdma-conform',
    style: siteStyle + stateStyle,
    links: siteLinks(here),
    head: html`<h1>State diagrams</h1>
      <p class="facts">
        Generated from the tables and constants; the numbers of the edges are those of the list beside them.
      </p>`,
    parts: diagrams.map((diagram, i) => ({
      id: `diagram-${i + 1}`,
      title: diagram.title,
      short: diagram.title,
      body: diagramPart(diagram, source),
    })),
    footer: siteFooter(source),
  });
}
