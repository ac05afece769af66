import type { Statement } from '../../oracle/compile/statements.ts';
import { elementId, html, type Markup } from '../../report/html/markup.ts';
import { page } from '../../report/html/page.ts';
import { badge } from '../../report/html/rules.ts';
import { count } from '../../report/text.ts';
import { commas, ruleLink, siteFooter, siteLinks, siteStyle, type Place, type SiteSource } from './words.ts';

const here: Place = { up: '../' };

function rowsTable(rows: readonly Record<string, unknown>[]): Markup {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string =>
    value === undefined || value === null
      ? ''
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : JSON.stringify(value);
  return html`<div class="scroll">
    <table class="decision">
      <thead>
        <tr>
          ${columns.map((name) => html`<th>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((name) => html`<td>${cell(row[name])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function statementPart(statement: Statement, rules: readonly string[], source: SiteSource): Markup {
  const { id, level, kind, erratum, note, table, expectation, filled, derived } = statement;
  const excuse = source.excuses.get(id);
  const { text, also } = source.citations.of(statement);
  const found = [text, ...also];
  const origin = [
    kind,
    ...(statement.service.length === 0 ? [] : [statement.service.join(', ')]),
    ...(filled === true ? ['supplied from general knowledge'] : []),
    ...(derived === true ? ['implied, not stated'] : []),
  ];
  const term = (title: string, body: string | Markup | readonly Markup[] | undefined): Markup | undefined =>
    body === undefined
      ? undefined
      : html`<dt>${title}</dt>
          <dd>${body}</dd>`;
  return html`<article class="statement" id="${elementId('statement', id)}">
    <h3><code>${id}</code> ${badge(level)}</h3>
    <p>${statement.statement}</p>
    <dl>
      ${term('source', commas(found.map((text) => html`${text}`)))}${term('kind', origin.join('; '))}${term('to be seen', expectation)}${term(
        'erratum',
        erratum === null ? undefined : html`<em>${erratum}</em>`,
      )}${term('note', note)}${term(
        'rules',
        rules.length === 0 ? undefined : commas(rules.map((rule) => ruleLink(rule, source, here))),
      )}${term('excused', excuse === undefined ? undefined : `${excuse.kind}: ${excuse.because}`)}
    </dl>
    ${table === undefined ? undefined : rowsTable(table)}
  </article>`;
}

/** The page of one source document: what it says, in our words, with its errata and the rules that cover it. */
export function documentHtml(id: string, statements: readonly Statement[], source: SiteSource): string {
  const covering = new Map<string, string[]>();
  for (const rule of source.set.rules) {
    for (const statement of rule.covers) {
      covering.set(statement, [...(covering.get(statement) ?? []), rule.id]);
    }
  }
  const errata = statements.filter(({ erratum }) => erratum !== null).length;
  return page({
    title: `${id}: statements of rdma-conform`,
    style: siteStyle,
    links: siteLinks(here),
    head: html`<h1>${id}</h1>
      <p class="facts">
        ${count(statements.length, 'statement')} of a source document, in our own words;
        ${count(errata, 'erratum', 'errata')}.
      </p>`,
    parts: [
      {
        id: 'statements',
        title: 'Statements',
        short: 'All',
        body: html`${statements.map((statement) => statementPart(statement, covering.get(statement.id) ?? [], source))}`,
      },
    ],
    footer: siteFooter(source),
  });
}
