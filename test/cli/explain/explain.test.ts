import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionsText } from '../../../cli/explain/mentions.ts';
import { findTopic, loadVocabulary, statementsOn } from '../../../cli/explain/find.ts';
import { topicText } from '../../../cli/explain/text.ts';
import { topicOf, topics } from '../../../cli/explain/topic.ts';
import { wordText } from '../../../cli/explain/words.ts';
import { buildTables } from '../../../cli/error-model/build.ts';
import { loadErrorModel } from '../../../cli/error-model/load.ts';
import { loadCitations } from '../../../cli/explain/sources.ts';
import { loadRules } from '../../../oracle/index.ts';
import { loadStatements, statementsWhere } from '../../../oracle/compile/statements.ts';
import { plain } from '../../../report/style.ts';
import { decodeSyndrome, eventType, nakCodes, opcodes, qpState, wcStatus } from '../../../spec/constants.ts';
import { loadMeanings } from '../../../spec/meanings.ts';
import { readProjectFile } from '../../project/files.ts';
import { runHere } from '../command-line.ts';

const set = loadRules();
const vocabulary = loadVocabulary();
const statements = loadStatements();
const citations = loadCitations();
const tables = buildTables(loadErrorModel(), set, statements);

function explained(word: string): string {
  const topic = topicOf(word);
  if (topic === undefined) throw new Error(`nothing is called ${word}`);
  const found = findTopic(topic, set, vocabulary, statements, tables);
  return topicText(topic, found, set, vocabulary, citations, { width: 100, style: plain });
}

describe('what is read of the statements', () => {
  const model = loadErrorModel();
  const named = opcodes.flatMap((o) => (o === undefined ? [] : (topicOf(o.name) ?? [])));

  it.each([...topics(), ...named].map((topic) => [topic.name, topic] as const))(
    'is enough for %s',
    (_, topic) => {
      const some = statementsOn(topic, model);
      expect(some.length).toBeLessThan(statements.length);
      const found = findTopic(topic, set, vocabulary, some, buildTables(model, set, some));
      expect(found).toEqual(findTopic(topic, set, vocabulary, statements, tables));
    },
  );

  it.each(['retry_cnt', 'ePSN', 'no such'])('is enough for where %s is used', (word) => {
    const lower = word.toLowerCase();
    const some = statementsWhere((_, said) => said.toLowerCase().includes(lower));
    const options = { width: 100, style: plain };
    expect(mentionsText(word, set, vocabulary, some, options)).toBe(
      mentionsText(word, set, vocabulary, statements, options),
    );
  });
});

describe('an opcode', () => {
  it.each(['RC_SEND_ONLY', 'RC SEND_ONLY', 'SEND_ONLY', 'rc_send_only'])('is found as %s', (word) => {
    expect(topicOf(word)?.name).toBe('RC_SEND_ONLY');
  });

  it('that no rule names leads to what the rules say', async () => {
    const { code, stdout } = await runHere(['explain', 'SEND_ONLY']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('"rdma-conform explain SEND" shows where SEND is used.');
    expect(stdout).not.toContain('0 rules');
  });

  it.each(['SEND', 'RDMA WRITE', 'READ', 'ATOMIC'])('%s is used somewhere', async (word) => {
    const { code, stdout } = await runHere(['explain', word]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Rules \(\d+\)$/m);
  });

  it('takes no word of the rules, and no table', () => {
    const words = [...vocabulary.facts.keys(), ...vocabulary.outcomes.keys(), ...set.tables.keys()];
    expect(words.filter((word) => topicOf(word)?.kind === 'opcode')).toEqual([]);
  });
});

it('a word that is no name is not repeated at length', async () => {
  const { code, stderr } = await runHere(['explain', 'a'.repeat(5000)]);
  expect(code).toBe(64);
  expect(stderr).toContain(`nothing here is called "${'a'.repeat(100)}..."`);
  expect(stderr.length).toBeLessThan(300);
});

describe('a word of the rules', () => {
  it('may be a table, for explain and for rules show', async () => {
    const [explain, show] = await Promise.all([
      runHere(['explain', 'rc-responder-psn']),
      runHere(['rules', 'show', 'rc-responder-psn']),
    ]);
    expect(explain).toMatchObject({ code: 0, stderr: '' });
    expect(show.stdout).toBe(explain.stdout);
    expect(explain.stdout).toMatch(/^Facts \(3\)\n {2}psn\n {6}expected, ahead, duplicate$/m);
    expect(explain.stdout).toMatch(/^Rules \(6\)\n {2}rc-request-ahead \(must\)$/m);
  });

  it('may be a fact or an outcome', () => {
    const text = wordText('replyKind', set, vocabulary, { width: 100, style: plain });
    expect(text).toMatch(/^replyKind {2}a fact[^]*^ {2}rnr-nak\n {6}\S/m);
    expect(text).toMatch(/Tables that know it[^]*rc-responder-response/);
    for (const word of [...vocabulary.facts.keys(), ...vocabulary.outcomes.keys()])
      expect(wordText(word, set, vocabulary, { width: 100, style: plain })).toContain(word);
    expect(wordText('nonesuch', set, vocabulary, { width: 100, style: plain })).toBeUndefined();
  });
});

describe('the text', () => {
  it('fits the width, its heading as well', () => {
    const bytes = Array.from({ length: 0x100 }, (_, byte) => `0x${byte.toString(16)}`);
    for (const word of [...topics().map(({ name }) => name), ...bytes])
      expect(
        Math.max(
          ...explained(word)
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(100);
  });

  it('is what the documents print', () => {
    const samples = ['README.md', 'docs/fabric-operator.md'].flatMap((path) => [
      ...readProjectFile(path).matchAll(/^\$ npx rdma-conform explain (\S+)\n([^]*?)```/gm),
    ]);
    expect(samples.length).toBeGreaterThan(0);
    for (const [, word = '', text] of samples) expect(explained(word)).toBe(text);
  });
});

describe('meanings', () => {
  it('has a sentence for each word, and no other', () => {
    const { status, event, state, nak } = loadMeanings();
    expect(Object.keys(status)).toEqual(Object.keys(wcStatus.numbers));
    expect(Object.keys(event)).toEqual(Object.keys(eventType.numbers));
    expect(Object.keys(state)).toEqual(Object.keys(qpState.numbers));
    expect(Object.keys(nak)).toEqual(nakCodes.map(({ name }) => name));
  });
});

describe('a word', () => {
  it('is found in any spelling', () => {
    const spellings = topics().flatMap((t) =>
      [t.name, ...t.aliases].flatMap((word) => [
        [word, t.name],
        [word.toLowerCase(), t.name],
        [word.replaceAll(/[ _]/g, '-'), t.name],
      ]),
    );
    for (const [word = '', name] of spellings) expect([word, topicOf(word)?.name]).toEqual([word, name]);
  });

  it('may be any syndrome byte', () => {
    fc.assert(
      fc.property(fc.nat(0xff), (byte) => {
        const topic = topicOf(`0x${byte.toString(16)}`);
        const { kind, value } = decodeSyndrome(byte);
        const known = kind !== 'nak' || nakCodes.some(({ code }) => code === value);
        expect(topic?.kind).toBe(known ? kind : 'reserved');
      }),
    );
  });

  it('may be any opcode', () => {
    const names = opcodes.flatMap((info) => (info === undefined ? [] : [info.name]));
    expect(names.filter((name) => topicOf(name)?.kind !== 'opcode')).toEqual([]);
  });

  it('that nobody knows is none', () => {
    expect(topicOf('0x100')).toBeUndefined();
    // as perftest prints it, and as ibv_wc_status_str has it
    expect(topicOf('12')).toMatchObject({
      name: 'IBV_WC_RETRY_EXC_ERR',
      what: expect.stringMatching(/0x0c$/) as string,
    });
    expect(topicOf('transport retry counter exceeded')?.name).toBe('IBV_WC_RETRY_EXC_ERR');
    expect(topicOf('31')?.kind).toBe('ack');
    expect(topicOf('IBV_WC_NONSENSE')).toBeUndefined();
  });
});

describe('an explanation', () => {
  it('tells causes, effects at both ends, rules and sources', () => {
    const text = explained('IBV_WC_REM_INV_REQ_ERR');
    expect(text).toContain('completion status 9');
    expect(text).toMatch(/rc-effects-short-receive[^]*NAK 0x61[^]*receive completion IBV_WC_LOC_LEN_ERR/);
    expect(text).toContain('rc-nak-invalid-request-fails');
    expect(text).toContain('ee-rem-inv-req-general');
  });

  it.each([
    ['IBV_EVENT_QP_ACCESS_ERR', 'rc-effects-remote-key'],
    ['IBV_EVENT_COMM_EST', 'rc-established-undue'],
    ['IBV_EVENT_SQ_DRAINED', 'drained-too-early'],
    ['IBV_EVENT_QP_LAST_WQE_REACHED', 'last-wqe-completed'],
    ['IBV_EVENT_SRQ_LIMIT_REACHED', 'srq-limit-reached'],
    ['IBV_EVENT_PORT_ERR', 'port-error-raised'],
    ['IBV_EVENT_PATH_MIG_ERR', 'migration-'],
    ['IBV_EVENT_QP_FATAL', 'cq-error-spreads'],
    ['0x63', 'rc-effects-receive-key'],
    ['remote access error', 'rc-nak-access-error-fails'],
    ['IBV_QPS_SQE', 'uc-effects-local-key'],
    ['IBV_WC_RNR_RETRY_EXC_ERR', 'rc-effects-no-receive'],
    ['0x2c', 'rc-responder-operation'],
  ])('of %s names %s', (word, expected) => {
    expect(explained(word)).toContain(expected);
  });

  it('of errors together shows each of the twelve rows of the document once', () => {
    const rows = tables
      .filter(({ effects }) => effects)
      .flatMap((table) => table.rows.map((row) => [table, row] as const));
    expect(rows).toHaveLength(12);
    const texts = ['IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_OP_ERR'].map(explained);
    for (const [{ title }, { name }] of rows)
      expect(texts.filter((text) => text.includes(`\n  ${title}: ${name} (section`))).toHaveLength(1);
  });

  it('of whatever verbs can report on RoCE names a rule or a statement', () => {
    const words = [wcStatus, eventType, qpState].flatMap(({ numbers }) => Object.keys(numbers));
    const ofOthers = /TM_|WQ_FATAL|QPS_UNKNOWN/;
    for (const word of words.filter((w) => !ofOthers.test(w)))
      expect(explained(word)).not.toContain('No rule and no statement');
  });
});

describe('the command', () => {
  it('explains words, rules and statements', async () => {
    const [word, rule, statement] = await Promise.all([
      runHere(['explain', 'NAK', 'invalid', 'request']),
      runHere(['explain', 'rc-request-ahead']),
      runHere(['explain', 'ee-loc-access-cause']),
    ]);
    expect(word).toMatchObject({ code: 0, stderr: '' });
    expect(word.stdout).toContain('AETH syndrome 0x61');
    expect(rule.stdout).toContain('defined in  spec/machines/rc-responder/psn.yaml');
    expect(statement.stdout).toMatch(/defined in .*section 2\.6:[^]*rc-effects-remote-key-immediate/);
  });

  it('shows where a word is used that has no entry of its own', async () => {
    const { code, stdout } = await runHere(['explain', 'retry_cnt']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Facts and outcomes \(\d+\)\n[^]*^ {2}retryLeft\n {6}What is left of retry_cnt\.$/m,
    );
    expect(stdout).toMatch(
      /^Variables \(\d+\)\n[^]*^ {2}retries \(rc-requester\)\n {6}counter of retry_cnt$/m,
    );
    expect(stdout).toMatch(/^Rules \((\d+)\)\n[^]*^ {2}qp-modify-without-retry-cnt\n[^]*^ {2}and \d+ more$/m);
    expect(stdout).not.toContain('rnr_retry of the call');
  });

  it('shows the tables of a machine', async () => {
    const { stdout } = await runHere(['explain', 'srq']);
    const of = [...set.tables.values()].filter(({ rules }) =>
      /machines\/srq\//.test(rules[0]?.location.file ?? ''),
    );
    expect(of.length).toBeGreaterThan(1);
    for (const { id } of of) expect(stdout).toContain(`\n  ${id}\n`);
  });

  it('answers a wrong word with the nearest ones', async () => {
    const { code, stderr } = await runHere(['explain', 'IBV_WC_REM_INV_REQ_ER']);
    expect(code).toBe(64);
    expect(stderr).toContain('the nearest are: IBV_WC_REM_INV_REQ_ERR');
  });
});
