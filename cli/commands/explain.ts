import { buildTables } from '../error-model/build.ts';
import { loadErrorModel } from '../error-model/load.ts';
import { loadRules } from '../../oracle/compile/load.ts';
import {
  statementIds,
  statementsOf,
  statementsWhere,
  type Statement,
} from '../../oracle/compile/statements.ts';
import { opcodes } from '../../spec/constants.ts';
import { styleFor } from '../../report/style.ts';
import type { RunCommand } from './command.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { mentionsText } from '../explain/mentions.ts';
import { findTopic, loadVocabulary, statementsOn } from '../explain/find.ts';
import { statementText, topicText } from '../explain/text.ts';
import { topicOf, topics } from '../explain/topic.ts';
import { tableText, wordText } from '../explain/words.ts';
import { nearestFew } from '../flags/nearest.ts';
import { ruleText } from '../rules-text.ts';
import { loadCitations } from '../explain/sources.ts';

/** `explain X`: what a status, event, NAK, syndrome byte, QP state, opcode, rule, statement, table, fact or outcome is, what causes it and what follows; of another word, such as `retry_cnt`, where it is used. */
// oxlint-disable-next-line require-await -- commands are asynchronous, this one has nothing to wait for
export const explainCommand: RunCommand = async (args, { streams }) => {
  const word = args.operands.join(' ');
  const { width } = streams;
  const style = styleFor(streams.colour);
  const set = loadRules();
  const rule = set.rule(word);
  const citations = loadCitations();
  if (rule !== undefined) {
    streams.out(ruleText(rule, set, statementsOf(rule.covers), citations, width, style));
    return exitCode.ok;
  }
  const [statement] = statementsOf([word]);
  if (statement !== undefined) {
    const covering = set.rules.filter((r) => r.covers.includes(statement.id));
    streams.out(statementText(statement, covering, citations, { width, style }));
    return exitCode.ok;
  }
  const topic = topicOf(word);
  if (topic !== undefined) {
    const vocabulary = loadVocabulary();
    const model = loadErrorModel();
    const statements = statementsOn(topic, model);
    const tables = buildTables(model, set, statements);
    const found = findTopic(topic, set, vocabulary, statements, tables);
    streams.out(topicText(topic, found, set, vocabulary, citations, { width, style }));
    return exitCode.ok;
  }
  const vocabulary = loadVocabulary();
  const table = set.tables.get(word);
  const lower = word.toLowerCase();
  const statements = (): Statement[] => statementsWhere((_, said) => said.toLowerCase().includes(lower));
  const text =
    table === undefined
      ? (wordText(word, set, vocabulary, { width, style }) ??
        mentionsText(word, set, vocabulary, statements(), { width, style }))
      : tableText(table, vocabulary, { width, style });
  if (text !== undefined) {
    streams.out(text);
    return exitCode.ok;
  }
  const known = [
    ...topics().map(({ name }) => name),
    ...set.rules.map(({ id }) => id),
    ...statementIds(),
    ...set.tables.keys(),
    ...vocabulary.facts.keys(),
    ...vocabulary.outcomes.keys(),
    ...opcodes.flatMap((o) => (o === undefined ? [] : [o.name])),
  ];
  // no name is longer
  const close = word.length > 200 ? [] : nearestFew(word, known);
  const hint =
    close.length === 0
      ? '; it takes a status, event, NAK, opcode, state, rule, statement or table, such as IBV_WC_RETRY_EXC_ERR'
      : `; the nearest are: ${close.join(', ')}`;
  const named = word.length > 100 ? `${word.slice(0, 100)}...` : word;
  throw usageError(`nothing here is called "${named}"${hint}`);
};
