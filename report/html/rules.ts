import type { ReportContext } from '../reporter.ts';
import { levels, type RuleResult } from '../results.ts';
import { ruleFile } from '../formats/sarif.ts';
import { machineOf } from '../machine-summary.ts';
import { verdictWord } from '../rules-table.ts';
import { count, grouped } from '../text.ts';
import { elementId, html, linked, type Markup } from './markup.ts';

/** Verdict in a word that classes and filters use; known divergences have one of their own. */
export function wordOf(rule: Pick<RuleResult, 'verdict' | 'known'>): string {
  return verdictWord(rule).toLowerCase();
}

export function badge(word: string): Markup {
  return html`<b class=${`v-${word}`}>${word}</b>`;
}

/** Verdicts in the order in which they ask for attention, each with the sign of its cell: colour alone is not enough. */
const signs: Readonly<Record<string, string>> = {
  fail: '✕',
  error: '!',
  deviation: '~',
  inconclusive: '?',
  known: 'k',
  observed: 'o',
  pass: '✓',
  vacuous: '·',
  unsupported: '–',
};

function byTable(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const tables = new Map<string, RuleResult[]>();
  for (const rule of rules) tables.set(rule.table, [...(tables.get(rule.table) ?? []), rule]);
  return tables;
}

function byMachine(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const machines = new Map<string, RuleResult[]>();
  for (const rule of rules) machines.set(machineOf(rule), [...(machines.get(machineOf(rule)) ?? []), rule]);
  return machines;
}

/** How many rules have which verdict, the gravest first. */
export function wordCounts(rules: readonly RuleResult[]): [word: string, n: number][] {
  return Object.keys(signs)
    .map((word): [string, number] => [word, rules.filter((rule) => wordOf(rule) === word).length])
    .filter(([, n]) => n > 0);
}

const meanings: Readonly<Record<string, string>> = {
  fail: 'a MUST was broken',
  error: 'adapter or suite broke',
  deviation: 'a SHOULD was broken',
  inconclusive: 'seen, but not again',
  known: 'broken, as the list of known divergences says',
  observed: 'the spec leaves a choice, which was seen',
  pass: 'exercised and kept',
  vacuous: 'its case never arose',
  unsupported: 'the device has no such capability',
};

/** What the words and signs of verdicts mean. */
export function legend(rules: readonly RuleResult[]): Markup {
  return html`<div class="legend">
    ${wordCounts(rules).map(
      ([word]) =>
        html`<span><span class="cell c-${word}">${signs[word]}</span> ${word}: ${meanings[word]}</span>`,
    )}
  </div>`;
}

/** Rules by machine and verdict. */
export function machineTable(rules: readonly RuleResult[]): Markup {
  const words = wordCounts(rules).map(([word]) => word);
  const machines = byMachine(rules);
  const number = (n: number): string => (n === 0 ? '' : grouped(n));
  return html`<div class="scroll">
    <table class="plain machines">
      <thead>
        <tr>
          <th>machine</th>
          <th class="n">rules</th>
          ${words.map((word) => html`<th class="n">${word}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...machines].map(
          ([machine, members]) =>
            html`<tr>
              <td><a href="#${elementId('machine', machine)}">${machine}</a></td>
              <td class="n">${grouped(members.length)}</td>
              ${words.map((word) => html`<td class="n v-${word}">${number(members.filter((rule) => wordOf(rule) === word).length)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A cell per rule, by table; each leads to its rule; the script names them. */
export function matrix(rules: readonly RuleResult[]): Markup | undefined {
  if (rules.length === 0) return undefined;
  const cell = (rule: RuleResult): Markup => {
    const word = wordOf(rule);
    return html`<a class=${`c-${word}`} href=${`#${elementId('rule', rule.id)}`}>${signs[word]}</a>`;
  };
  return html`<div class="matrix">
    ${[...byTable(rules)].map(
      ([table, members]) =>
        html`<div class="line">
          <a href="#${elementId('table', table)}">${table}</a><span>${members.map(cell)}</span>
        </div> `,
    )}
  </div>`;
}

function statementItems(ids: readonly string[], context: ReportContext): Markup[] {
  return ids.map((id) => {
    const known = context.statement?.(id);
    if (known === undefined) return html`<li><code>${id}</code></li>`;
    return html`<li>
      <code>${id}</code> <span class="dim">(${known.source})</span> ${known.text}${
        known.erratum === undefined ? undefined : html` <em class="dim">Erratum: ${known.erratum}</em>`
      }${known.also.length === 0 ? undefined : html` <span class="dim">Also in: ${known.also.join('; ')}.</span>`}
    </li>`;
  });
}

/** The statements that a rule rests on, as an entry of a list: links to them, where the page has a part that says what they say. */
export function sourceLinks(ids: readonly string[], context: ReportContext): Markup | undefined {
  return ids.length === 0 || context.coverage === undefined
    ? undefined
    : html`<dt>statements</dt>
        ${linked('dd', 'statement', ids)}`;
}

/** The statements that a rule rests on, with what they say, where no other part of the page says it. */
export function sources(ids: readonly string[], context: ReportContext): Markup | undefined {
  if (ids.length === 0 || context.coverage !== undefined) return undefined;
  return html`<details>
    <summary>${count(ids.length, 'statement')} of the source documents</summary>
    <ul>
      ${statementItems(ids, context)}
    </ul>
  </details>`;
}

function remark(title: string, body: string | Markup | undefined): Markup | undefined {
  return body === undefined || body === ''
    ? undefined
    : html`<dt>${title}</dt>
        <dd>${body}</dd>`;
}

/** `sharedFile`: where all rules of the table are defined, which its heading says. */
function ruleBody(
  rule: RuleResult,
  failed: boolean,
  sharedFile: string | undefined,
  context: ReportContext,
): Markup {
  const { location, known, choices = [] } = rule;
  return html`<div>
    <p>${rule.says}</p>
    ${failed ? html`<p><a href="#${elementId('failure', rule.id)}">What shows it</a></p>` : undefined}
    <dl>
      ${remark('why', rule.verdict === 'pass' ? undefined : rule.why)}${remark(
        'known',
        // what shows it says so as well
        known === undefined || failed
          ? undefined
          : html`${known.reason}${known.link === undefined ? undefined : html` <a href="${known.link}">${known.link}</a>`}`,
      )}${remark(
        'choices seen',
        choices.length === 0
          ? undefined
          : choices.map(({ what, count: n }) => `${what} (${grouped(n)})`).join(', '),
      )}${remark('source', rule.source)}${remark('uncovered', rule.uncovered)}${remark('erratum', rule.erratum)}${remark('latitude', rule.latitude)}${remark(
        'defined in',
        location === undefined
          ? undefined
          : sharedFile === undefined
            ? html`<code>${ruleFile(location.file, context.packagePath)}:${location.line}</code>`
            : html`line ${location.line}`,
      )}${sourceLinks(rule.statements, context)}
    </dl>
    ${sources(rule.statements, context)}
  </div>`;
}

/** One rule of a list that searchControls filter. `word`: what its badge says, `searched`: texts in which search looks. */
export function ruleDetails(rule: {
  id: string;
  word: string;
  level: string;
  /** absent: all of its text */
  searched?: readonly string[];
  beside?: Markup;
  body: Markup;
}): Markup {
  const { id, word, level, searched, beside, body } = rule;
  return html`<details
    class="rule"
    id=${elementId('rule', id)}
    ${level === 'must' ? undefined : html`data-level=${level}`}
    ${searched === undefined ? undefined : html`data-text="${searched.join(' ').toLowerCase()}"`}
  >
    <summary>${badge(word)}<code class="name">${id}</code>${beside}</summary>
    ${body}
  </details> `;
}

/** Search and filters over a list of rules; the script shows them where it runs. `words`: badges and how many rules have each. */
export function searchControls(words: readonly (readonly [word: string, n: number])[]): Markup {
  return html`<div class="controls" hidden>
    <input
      id="search"
      type="search"
      placeholder="Search rules: id, words, statement ( / )"
      aria-label="Search rules"
    />
    <select id="level" aria-label="Level">
      <option value="">all levels</option>
      ${levels.map((level) => html`<option>${level}</option>`)}
    </select>
    ${words.map(([word, n]) => html`<button type="button" class="chip" aria-pressed="false" data-verdict="${word}">${word} <span>${grouped(n)}</span></button> `)}<span
      id="shown"
      class="dim"
      role="status"
    ></span>
  </div>`;
}

function ruleRow(
  rule: RuleResult,
  failed: boolean,
  sharedFile: string | undefined,
  context: ReportContext,
): Markup {
  const word = wordOf(rule);
  const violations = rule.violations > 0 ? `, ${count(rule.violations, 'violation')}` : '';
  return ruleDetails({
    id: rule.id,
    word,
    level: rule.level,
    beside: html`<span class="n"
      >${rule.level}, decided
      ${grouped(rule.exercised)}${rule.exercised === 1 ? ' time' : ' times'}${violations}</span
    >`,
    body: ruleBody(rule, failed, sharedFile, context),
  });
}

/** Search, filters by verdict and level, and every rule under its table. */
export function rulesPart(
  rules: readonly RuleResult[],
  failed: ReadonlySet<string>,
  context: ReportContext,
): Markup | undefined {
  if (rules.length === 0) return undefined;
  const tables = (own: readonly RuleResult[]): Markup[] =>
    [...byTable(own)].map(([table, members]) => {
      const files = new Set(members.map(({ location }) => location?.file));
      const [file] = files.size === 1 ? files : [];
      const where =
        file === undefined ? undefined : html`, in <code>${ruleFile(file, context.packagePath)}</code>`;
      return html`<section class="table" id="${elementId('table', table)}">
        <h3>${table} <span class="dim">${count(members.length, 'rule')}${where}</span></h3>
        ${members.map((rule) => ruleRow(rule, failed.has(rule.id), file, context))}
      </section> `;
    });
  const machines = [...byMachine(rules)].map(
    ([machine, own]) =>
      html`<details class="machine" id="${elementId('machine', machine)}">
        <summary>${machine} <span class="dim">${count(own.length, 'rule')}</span></summary>
        ${tables(own)}
      </details> `,
  );
  return html`${searchControls(wordCounts(rules))} ${machines}`;
}
