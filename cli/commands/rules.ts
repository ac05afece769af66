import { existsSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { statementsOf } from '../../oracle/compile/statements.ts';
import { formatDiagnostic, lintRules, loadRules, type Diagnostic } from '../../oracle/compile/load.ts';
import { compile } from '../../oracle/judge/rules.ts';
import type { RuleSet } from '../../oracle/rules.ts';
import { UnaskedFact } from '../../oracle/unasked-fact.ts';
import { styleFor } from '../../report/style.ts';
import { count } from '../../report/text.ts';
import { specDirectory } from '../../spec/load.ts';
import type { CommandContext, RunCommand } from './command.ts';
import { exitCode, usageError, type ExitCode } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { loadVocabulary } from '../explain/find.ts';
import { tableText } from '../explain/words.ts';
import { unknownWord } from '../flags/nearest.ts';
import type { Arguments } from '../flags/parse.ts';
import { selectedLevel } from '../flags/rule-selection.ts';
import { rulesList, ruleText } from '../rules-text.ts';
import { loadCitations } from '../explain/sources.ts';

function show(id: string | undefined, { streams }: CommandContext): ExitCode {
  if (id === undefined) throw usageError('rules show needs the ID of a rule or a table');
  const set = loadRules();
  const style = styleFor(streams.colour);
  const table = set.tables.get(id);
  if (table !== undefined) {
    streams.out(tableText(table, loadVocabulary(), { width: streams.width, style }));
    return exitCode.ok;
  }
  const rule = set.rule(id);
  if (rule === undefined) {
    const known = [...set.rules.map((r) => r.id), ...set.tables.keys()];
    throw usageError(unknownWord('rule', id, known));
  }
  streams.out(ruleText(rule, set, statementsOf(rule.covers), loadCitations(), streams.width, style));
  return exitCode.ok;
}

/** Diagnostics name files by the folder's own name; what people (and editors) can open is the way to it from here. */
function located(diagnostic: Diagnostic, folder: string, from: string): Diagnostic {
  const prefix = `${basename(folder)}/`;
  const file = (name: string): string =>
    name.startsWith(prefix) ? relative(from, join(folder, name.slice(prefix.length))) : name;
  return {
    ...diagnostic,
    file: file(diagnostic.file),
    ...(diagnostic.related === undefined
      ? {}
      : { related: diagnostic.related.map((place) => ({ ...place, file: file(place.file) })) }),
  };
}

/** A fact of a table that is asked in TypeScript with facts of its own, as far as judging could not even begin; `undefined`: there is none. */
function unaskedFact(rules: RuleSet): string | undefined {
  try {
    compile(rules);
  } catch (thrown) {
    // a folder may have some tables alone
    if (thrown instanceof UnaskedFact) return thrown.message;
  }
  return undefined;
}

function lint(given: string | undefined, { streams, directory }: CommandContext): ExitCode {
  const folder = given === undefined ? specDirectory : resolve(directory, given);
  if (!existsSync(folder)) throw usageError(`rules lint ${given ?? ''}: there is no such folder`);
  if (!statSync(folder).isDirectory()) throw usageError(`rules lint ${given ?? ''}: it is no folder`);
  if (!existsSync(join(folder, 'machines'))) {
    const what = `${given ?? folder} has no machines`;
    throw usageError(`rules lint: ${what}; give the folder that contains machines/`);
  }
  const { rules, diagnostics } = lintRules({ directory: folder });
  for (const diagnostic of diagnostics) {
    streams.out(`${formatDiagnostic(located(diagnostic, folder, directory))}\n`);
  }
  if (rules === undefined) {
    streams.err(`${count(diagnostics.length, 'mistake')}\n`);
    return exitCode.config;
  }
  const unasked = unaskedFact(rules);
  if (unasked !== undefined) {
    streams.out(`${unasked}, and the oracle asks that table by other facts: see "A word" in CONTRIBUTING\n`);
    streams.err('1 mistake\n');
    return exitCode.config;
  }
  const tables = count(rules.tables.size, 'table');
  streams.out(`${count(rules.rules.length, 'rule')} in ${tables}: complete, free of contradiction\n`);
  return exitCode.ok;
}

/** Writes the pages; says where they begin. */
async function pages(folder: string, args: Arguments, context: CommandContext): Promise<ExitCode> {
  if (args.operands.length > 0) throw usageError('rules --html DIR takes no action');
  const { writeSite } = await import('../rules-site/site.ts');
  try {
    const n = writeSite(resolve(context.directory, folder));
    context.streams.out(`${count(n, 'page')}, beginning with ${join(folder, 'index.html')}\n`);
    return exitCode.ok;
  } catch (thrown) {
    if (thrown instanceof Error && 'syscall' in thrown) {
      throw usageError(cannotWrite(folder, thrown));
    }
    throw thrown;
  }
}

/** `rules`, `rules list`, `rules show ID`, `rules lint [DIR]`, `rules flips`, `rules --html DIR`. */
export const rulesCommand: RunCommand = async (args, context) => {
  const [action = 'list', operand] = args.operands;
  const folder = args.text('html');
  if (folder !== undefined) return pages(folder, args, context);
  switch (action) {
    case 'list': {
      if (operand !== undefined) throw usageError(`rules list does not take "${operand}"`);
      const set = loadRules();
      const level = selectedLevel(args);
      const rules = set.rules.filter((rule) => (level ?? rule.level) === rule.level);
      const { streams } = context;
      streams.out(rulesList(rules, set, streams.width, styleFor(streams.colour)));
      return exitCode.ok;
    }
    case 'show':
      return show(operand, context);
    case 'lint':
      return lint(operand, context);
    case 'flips': {
      if (operand !== undefined) throw usageError(`rules flips does not take "${operand}"`);
      const { flipsCommand } = await import('../flips/command.ts');
      return flipsCommand(args, context);
    }
    default:
      throw usageError(unknownWord('action of rules', action, ['list', 'show', 'lint', 'flips']));
  }
};
