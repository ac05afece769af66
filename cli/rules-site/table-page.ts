import type { DecisionTable, Outcome, Rule } from '../../oracle/rules.ts';
import { elementId, html, type Markup } from '../../report/html/markup.ts';
import { page } from '../../report/html/page.ts';
import { badge } from '../../report/html/rules.ts';
import { count, grouped } from '../../report/text.ts';
import {
  commas,
  siteFooter,
  siteLinks,
  siteStyle,
  statementLink,
  tablePage,
  type Place,
  type SiteSource,
} from './words.ts';

const here: Place = { up: '../' };

const hits = {
  first: 'the first rule that fits decides',
  unique: 'one rule fits each case',
  any: 'any one of the rules that fit may apply',
  all: 'all rules that fit apply',
} as const;

function textOf(value: string | readonly string[] | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : value.join(' or ');
}

/** Outcomes that some rule of the table sets to other than their default; the others would be columns of one word. */
function outcomesUsed(table: DecisionTable, { vocabulary }: SiteSource): string[] {
  const names = vocabulary.tables.get(table.id)?.outcomes ?? [];
  return names.filter((name) => {
    const usual = textOf(vocabulary.outcomes.get(name)?.default);
    return table.rules.some((rule) => rule.outcomes.some((outcome) => textOf(outcome[name]) !== usual));
  });
}

function outcomeCell(name: string, outcome: Outcome, source: SiteSource): Markup {
  const text = textOf(outcome[name]);
  const usual = textOf(source.vocabulary.outcomes.get(name)?.default);
  if (text === '') return html`<td class="any">–</td>`;
  const target = source.set.tables.get(text);
  if (name === 'next' && target !== undefined) {
    return html`<td><a href="${here.up}${tablePage(text)}">${text}</a></td>`;
  }
  return text === usual ? html`<td class="dim">${text}</td>` : html`<td><strong>${text}</strong></td>`;
}

function decisionRows(
  rule: Rule,
  table: DecisionTable,
  outcomes: readonly string[],
  source: SiteSource,
): Markup[] {
  const n = rule.outcomes.length;
  const span = n > 1 ? html` rowspan="${n}"` : undefined;
  return rule.outcomes.map((outcome, i) => {
    const head =
      i > 0
        ? undefined
        : html`<th scope="row" ${span}>
              <a href="#${elementId('rule', rule.id)}">${rule.id}</a><br />${badge(rule.level)}
            </th>
            ${table.facts.map(({ name }) => {
              const allowed = rule.when[name];
              return allowed === undefined
                ? html`<td class="any" ${span}>any</td>`
                : html`<td ${span}>${allowed.join(' or ')}</td>`;
            })}`;
    return html`<tr class="${i > 0 ? 'or' : ''}">
      ${head}${outcomes.map((name) => outcomeCell(name, outcome, source))}
    </tr> `;
  });
}

function decisionTable(table: DecisionTable, source: SiteSource): Markup {
  const outcomes = outcomesUsed(table, source);
  const wide = table.facts.length + outcomes.length > 7 ? ' breakout' : '';
  return html`<div class="scroll${wide}">
    <table class="decision">
      <thead>
        <tr>
          <th>rule</th>
          ${table.facts.map(({ name }) => html`<th><a href="#${elementId('fact', name)}">${name}</a></th>`)}${outcomes.map(
            (name) => html`<th class="out"><a href="#${elementId('outcome', name)}">${name}</a></th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${table.rules.map((rule) => decisionRows(rule, table, outcomes, source))}
      </tbody>
    </table>
  </div>`;
}

function remark(title: string, text: string | undefined): Markup | undefined {
  return text === undefined
    ? undefined
    : html`<dt>${title}</dt>
        <dd>${text}</dd>`;
}

function rulePart(rule: Rule, source: SiteSource): Markup {
  const covers = commas(rule.covers.map((id) => statementLink(id, source, here)));
  return html`<article class="rule" id="${elementId('rule', rule.id)}">
    <h3><code>${rule.id}</code> ${badge(rule.level)}</h3>
    <p>${rule.says}</p>
    <dl>
      ${remark('requires', rule.requires.length === 0 ? undefined : rule.requires.join(', '))}${
        covers.length === 0
          ? undefined
          : html`<dt>covers</dt>
              <dd>${covers}</dd>`
      }${remark('uncovered', rule.uncovered)}${remark('source', rule.source)}${remark('erratum', rule.erratum)}${remark(
        'latitude',
        rule.latitude,
      )}${remark('defined in', `${rule.location.file}:${rule.location.line}`)}
    </dl>
  </article>`;
}

interface Meaning {
  name: string;
  about: string;
  values: ReadonlyMap<string, string>;
}

function meanings(kind: 'fact' | 'outcome', words: readonly Meaning[]): Markup[] {
  return words.map(
    ({ name, about, values }) =>
      html`<div id="${elementId(kind, name)}">
        <h3><code>${name}</code></h3>
        <p>${about}</p>
        <table class="plain">
          <tbody>
            ${[...values].map(
              ([value, meaning]) =>
                html`<tr>
                  <td><code>${value}</code></td>
                  <td>${meaning}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
  );
}

/** The page of one decision table: the table, its rules, and what its words mean. */
export function tableHtml(table: DecisionTable, source: SiteSource): string {
  const { vocabulary, drafts } = source;
  const cells = table.facts.reduce((n, { values }) => n * values.length, 1);
  const on = Object.entries(table.on).map(([key, value]) => `${key} ${value}`);
  const impossible = drafts.find((draft) => draft.table === table.id)?.impossible ?? [];
  const facts = table.facts.flatMap(({ name }) => vocabulary.facts.get(name) ?? []);
  const outcomes = outcomesUsed(table, source).flatMap((name) => vocabulary.outcomes.get(name) ?? []);
  const askedBy = [...source.set.tables.values()].filter((other) =>
    other.rules.some((rule) => rule.outcomes.some((outcome) => outcome['next'] === table.id)),
  );
  return page({
    title: `${table.id}: rules of rdma-conform`,
    style: siteStyle,
    links: siteLinks(here),
    head: html`<h1>${table.id}</h1>
      <p>${table.about}</p>
      <p class="facts">
        ${count(table.rules.length, 'rule')} for ${grouped(cells)} ${cells === 1 ? 'case' : 'cases'};
        ${hits[table.hit]}. Asked for:
        ${on.join(', ')}.${
          askedBy.length === 0
            ? undefined
            : html` Asked by:
              ${commas(askedBy.map(({ id }) => html`<a href="../${tablePage(id)}">${id}</a>`))}.`
        }
      </p>`,
    parts: [
      { id: 'table', title: 'Decision table', short: 'Table', body: decisionTable(table, source) },
      {
        id: 'impossible',
        title: 'Cases that cannot be',
        short: 'Impossible',
        body:
          impossible.length === 0
            ? undefined
            : html`<ul>
                ${impossible.map(({ when, because }) => {
                  const condition = Object.entries(when).map(
                    ([fact, allowed]) => `${fact} ${allowed.join(' or ')}`,
                  );
                  return html`<li><code>${condition.join(', ')}</code>: ${because}</li>`;
                })}
              </ul>`,
      },
      {
        id: 'rules',
        title: 'Rules',
        short: 'Rules',
        body: html`${table.rules.map((rule) => rulePart(rule, source))}`,
      },
      {
        id: 'facts',
        title: 'What is asked',
        short: 'Facts',
        body: facts.length === 0 ? undefined : html`${meanings('fact', facts)}`,
      },
      {
        id: 'outcomes',
        title: 'What must be seen, and what moves',
        short: 'Outcomes',
        body: outcomes.length === 0 ? undefined : html`${meanings('outcome', outcomes)}`,
      },
    ],
    footer: siteFooter(source),
  });
}
