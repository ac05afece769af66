import type { Statement } from '../../oracle/compile/statements.ts';
import type { TableDraft } from '../../oracle/compile/table/draft.ts';
import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import type { RuleSet } from '../../oracle/rules.ts';
import { elementId, html, type Markup } from '../../report/html/markup.ts';
import type { Excuse } from '../coverage/excuses.ts';
import type { Citations } from '../explain/sources.ts';

/** Everything that the pages tell. */
export interface SiteSource {
  version: string;
  set: RuleSet;
  vocabulary: Vocabulary;
  drafts: readonly TableDraft[];
  documents: ReadonlyMap<string, readonly Statement[]>;
  excuses: ReadonlyMap<string, Excuse>;
  citations: Citations;
}

/** One page and the way from it to the site's root: "" or "../". */
export interface Place {
  up: string;
}

export const tablePage = (id: string): string => `tables/${id}.html`;
export const documentPage = (id: string): string => `statements/${id}.html`;

export function ruleLink(id: string, { set }: SiteSource, { up }: Place): Markup {
  const rule = set.rule(id);
  if (rule === undefined) return html`<code>${id}</code>`;
  return html`<a href="${up}${tablePage(rule.table)}#${elementId('rule', id)}">${id}</a>`;
}

export function statementLink(id: string, { documents }: SiteSource, { up }: Place): Markup {
  const found = [...documents].find(([, list]) => list.some((statement) => statement.id === id));
  if (found === undefined) return html`<code>${id}</code>`;
  return html`<a href="${up}${documentPage(found[0])}#${elementId('statement', id)}">${id}</a>`;
}

/** Markup for several things, a comma between them. */
export function commas(items: readonly Markup[]): Markup[] {
  return items.map((item, i) => (i === 0 ? item : html`, ${item}`));
}

/** Links that stand above every page. */
export function siteLinks({ up }: Place): { href: string; text: string }[] {
  return [
    { href: `${up}index.html`, text: 'Overview' },
    { href: `${up}diagrams.html`, text: 'State diagrams' },
    { href: `${up}index.html#documents`, text: 'Statements' },
  ];
}

export function siteFooter({ version, set }: SiteSource): Markup {
  return html`Made by rdma-conform ${version} from rules <code>${set.digest}</code>.`;
}

export const siteStyle = `
h3 b[class^=v-] { min-width: 0; }
summary b[class^=v-] { min-width: 4.4em; }
table.decision { border-collapse: collapse; font-size: .88em; min-width: 100%; }
table.decision th, table.decision td { border: 1px solid var(--line); padding: .25rem .5rem; vertical-align: top; text-align: left; }
table.decision thead th { background: var(--panel); position: sticky; top: 0; }
table.decision .out { background: var(--panel); }
table.decision td.any { color: var(--dim); text-align: center; }
table.decision th[scope=row] { position: sticky; left: 0; background: var(--page); }
table.decision th[scope=row] b[class^=v-] { min-width: 0; font-size: .72em; padding: 0 .35em; }
.breakout { width: min(100vw - 3rem, 1700px); margin-left: calc((100% - min(100vw - 3rem, 1700px)) / 2); }
table.decision tr.or td { border-top-style: dashed; }
table.decision th[scope=row] { font-weight: normal; min-width: 12rem; }
article.rule { border-top: 1px solid var(--line); padding: .4rem 0 .8rem; }
h2 + article.rule, h2 + .statement { border-top: 0; }
article.rule:target, .statement:target { background: var(--mark); }
.tables { columns: 20rem; column-gap: 2rem; list-style: none; padding: 0; }
.tables li { break-inside: avoid; padding: .1rem 0; }
.states { max-width: 100%; height: auto; }
.diagram { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.diagram td:nth-child(-n+3), .diagram th { white-space: nowrap; overflow-wrap: normal; }
.diagram > div { flex: 1 1 22rem; overflow-x: auto; }
`;
