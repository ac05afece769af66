import type { Used } from './check-built-ins.ts';
import type { DiagnosticCode } from '../diagnostic.ts';
import type { Path } from '../document.ts';
import { ExpressionError } from '../expression/ast.ts';
import type { Expression, Statement } from '../expression/ast.ts';
import { checkStatement, namesIn, scopeWhere, typeOf } from '../expression/check.ts';
import { keptIn } from '../expression/emit.ts';
import { parseExpression, parseStatement } from '../expression/parse.ts';
import type { Scope } from '../expression/scope.ts';
import { flag, isNumeric } from '../expression/types.ts';
import type { ValueType } from '../expression/types.ts';
import type { MachineDraft, StatementDraft } from '../../machine-draft.ts';
import { flat } from './statements.ts';
import { scopeOf, valueType } from './scope.ts';
import { didYouMean } from '../suggest.ts';
import type { Vocabulary } from '../vocabulary.ts';

type Say = (path: Path, code: DiagnosticCode, message: string) => void;

const time: ValueType = { plain: 'time', unknown: false };

/** What a check of one machine keeps at hand. */
class MachineCheck {
  readonly scope: Scope;
  /** names that an expression reads */
  readonly read = new Set<string>();
  /** variables that a statement changes, and timers that one starts */
  readonly written = new Set<string>();
  readonly #say: Say;

  constructor(draft: MachineDraft, say: Say) {
    this.scope = scopeOf(draft);
    this.#say = say;
  }

  #guard(path: Path, text: string, check: () => void): void {
    try {
      check();
    } catch (thrown) {
      if (!(thrown instanceof ExpressionError)) throw thrown;
      const where = thrown.at === 0 ? '' : ` at character ${thrown.at + 1} of "${text}"`;
      this.#say(path, 'expression', `${thrown.message}${where}`);
    }
  }

  /** `into`: the variable that takes the value; to count on from itself is no use of it. */
  #reads(expression: Expression, into?: string): void {
    for (const name of namesIn(expression)) if (name !== into) this.read.add(name);
  }

  /** `unless`: a condition under which nothing asks for the expression. */
  expression(path: Path, text: string, expected: ValueType, setAllowed = false, unless?: string): void {
    this.#guard(path, text, () => {
      const expression = parseExpression(text);
      this.#reads(expression);
      const scope =
        unless === undefined ? this.scope : scopeWhere(parseExpression(unless), false, this.scope);
      const type = typeOf(expression, scope, expected);
      if (type.unknown && !expected.unknown)
        throw new ExpressionError('it may be unknown: say "unknown:", or ask "known NAME and ..."', 0);
      const kept = keptIn(expression, this.scope);
      if (kept !== undefined && !setAllowed)
        throw new ExpressionError(
          `"${kept}" is kept with every value it may have: only facts and effects may ask for it`,
          0,
        );
    });
  }

  statements(path: Path, drafts: readonly StatementDraft[], scope = this.scope): void {
    for (const draft of flat(drafts)) {
      if (typeof draft === 'string') {
        this.#guard(path, draft, () => this.#statement(parseStatement(draft), scope));
        continue;
      }
      let where = (_whether: boolean): Scope => scope;
      this.#guard(path, draft.if, () => {
        const condition = parseExpression(draft.if);
        this.#reads(condition);
        typeOf(condition, scope, flag);
        where = (whether) => scopeWhere(condition, whether, scope);
      });
      this.statements(path, draft.do, where(true));
      // what is not known to be true is done as well where something is unknown
      this.statements(path, draft.else ?? [], where(false));
    }
  }

  #statement(statement: Statement, scope: Scope): void {
    checkStatement(statement, scope, this.scope);
    if (statement.kind === 'timer') {
      if (statement.action === 'start') this.written.add(statement.timer);
    } else if (statement.kind === 'assign') {
      this.written.add(statement.variable);
      this.#reads(statement.value, statement.variable);
    }
  }
}

/** Checks names and types of everything in a machine, and that its words are those of the vocabulary. */
export function checkMachine(draft: MachineDraft, vocabulary: Vocabulary, say: Say): Used {
  const check = new MachineCheck(draft, say);
  for (const [name, { starts, merges, ...declared }] of Object.entries(draft.state)) {
    const type = valueType(declared);
    if (starts !== undefined) check.expression(['state', name, 'starts'], starts, type);
    if (merges !== undefined && (!isNumeric(type) || type.upTo !== undefined))
      say(['state', name, 'merges'], 'expression', `there is no ${merges} of what "${name}" may be`);
  }
  for (const [name, { from, to, off }] of Object.entries(draft.timers)) {
    if (off !== undefined) check.expression(['timers', name, 'off'], off, flag);
    check.expression(['timers', name, 'from'], from, time, false, off);
    if (to !== undefined) check.expression(['timers', name, 'to'], to, time, false, off);
  }
  for (const [name, { is, ...declared }] of Object.entries(draft.values))
    check.expression(['values', name, 'is'], is, valueType(declared), true);
  checkFacts(draft, vocabulary, check, say);
  checkEffects(draft, vocabulary, check, say);
  checkDemands(draft, vocabulary, check, say);
  for (const [name, statements] of Object.entries(draft.steps)) check.statements(['steps', name], statements);
  for (const name of Object.keys(draft.timers))
    if (!check.written.has(name)) say(['timers', name], 'unused-word', `nothing starts the timer "${name}"`);
  return check;
}

const strange = (fact: string, value: string, values: readonly string[]): string =>
  `"${value}" is no value of fact "${fact}"${didYouMean(value, values)}`;

function checkFacts(draft: MachineDraft, vocabulary: Vocabulary, check: MachineCheck, say: Say): void {
  for (const [name, { is, unknown, may = {} }] of Object.entries(draft.facts)) {
    const words = vocabulary.facts.get(name);
    if (words === undefined) {
      say(
        ['facts', name],
        'unknown-fact',
        `unknown fact "${name}"${didYouMean(name, vocabulary.facts.keys())}`,
      );
      continue;
    }
    const values = [...words.values.keys()];
    const openly = unknown !== undefined;
    if (openly && / /.test(unknown))
      check.expression(['facts', name, 'unknown'], unknown, { plain: values, unknown: false });
    else if (openly && !values.includes(unknown))
      say(['facts', name, 'unknown'], 'unknown-fact-value', strange(name, unknown, values));
    for (const [value, condition] of Object.entries(may)) {
      const path = ['facts', name, 'may', value];
      if (!values.includes(value)) say(path, 'unknown-fact-value', strange(name, value, values));
      check.expression(path, condition, flag);
    }
    if (typeof is === 'string') {
      check.expression(['facts', name, 'is'], is, { plain: values, unknown: openly }, true);
      continue;
    }
    for (const [value, condition] of Object.entries(is)) {
      const path = ['facts', name, 'is', value];
      if (!values.includes(value)) say(path, 'unknown-fact-value', strange(name, value, values));
      if (condition !== 'otherwise') check.expression(path, condition, { ...flag, unknown: openly }, true);
    }
    if (Object.values(is).at(-1) !== 'otherwise')
      say(['facts', name, 'is'], 'expression', `the last value of fact "${name}" must hold "otherwise"`);
  }
}

/** Every value that a section of the outcomes gives a meaning, once outcome and value are looked up. */
function* meanings<M>(
  section: 'does' | 'holds',
  outcomes: Readonly<Record<string, Readonly<Record<string, M>>>>,
  vocabulary: Vocabulary,
  say: Say,
): Generator<{ path: Path; meaning: M }> {
  for (const [name, byValue] of Object.entries(outcomes)) {
    const words = vocabulary.outcomes.get(name);
    if (words === undefined) {
      const message = `unknown outcome "${name}"${didYouMean(name, vocabulary.outcomes.keys())}`;
      say(['outcomes', name], 'unknown-outcome', message);
      continue;
    }
    for (const [value, meaning] of Object.entries(byValue)) {
      const path = ['outcomes', name, section, value];
      if (!words.values.has(value)) {
        const message = `"${value}" is no value of outcome "${name}"${didYouMean(value, words.values.keys())}`;
        say(path, 'unknown-outcome-value', message);
      }
      yield { path, meaning };
    }
  }
}

function checkEffects(draft: MachineDraft, vocabulary: Vocabulary, check: MachineCheck, say: Say): void {
  for (const { path, meaning } of meanings('does', draft.effects, vocabulary, say))
    check.statements(path, meaning);
}

function checkDemands(draft: MachineDraft, vocabulary: Vocabulary, check: MachineCheck, say: Say): void {
  for (const { path, meaning } of meanings('holds', draft.demands, vocabulary, say))
    check.expression(path, meaning, { ...flag, unknown: true });
}
