import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { loadStatements } from '../../oracle/compile/statements.ts';
import { withOutcomes } from '../../oracle/compile/variant.ts';
import { ask } from '../../cli/error-model/ask.ts';
import { buildTables, type BuiltTable } from '../../cli/error-model/build.ts';
import { loadErrorModel } from '../../cli/error-model/load.ts';
import { loadRules } from '../../oracle/index.ts';
import { errorModelPage } from '../../cli/error-model/page.ts';
import type { RuleSet } from '../../oracle/rules.ts';
import { readProjectFile } from '../project/files.ts';

const set = loadRules();
const model = loadErrorModel();
const statements = loadStatements();

const cellsOf = (tables: readonly BuiltTable[]) =>
  tables.flatMap(({ id, rows }) =>
    rows.flatMap(({ name, cells }) => cells.map((cell) => ({ ...cell, table: id, row: name }))),
  );

const wrongIn = (rules: RuleSet): string[] =>
  cellsOf(buildTables(model, rules, statements)).flatMap(({ table, row, column, wrong }) =>
    wrong === undefined ? [] : [`${table}, ${row}, ${column}: ${wrong}`],
  );

describe('the tables of the document on errors', () => {
  it('are those of the rules, or differ for a reason', () => {
    expect(cellsOf(buildTables(model, set, statements))).toHaveLength(224);
    expect(wrongIn(set)).toEqual([]);
  });

  it.each([
    ['rc-report-local-memory', { report: 'completion', status: ['IBV_WC_LOC_QP_OP_ERR'] }, /^send, L_Key/],
    ['rc-nak-access-error-fails', { failure: ['IBV_WC_REM_OP_ERR'] }, /^read, R_Key/],
    ['status-remote-responder', { admissible: 'allowed' }, /^status, Bad Response Error.*side/],
    ['event-of-cq', { admissible: 'allowed', mustAffiliate: 'qp' }, /^event, CQ Error/],
    ['post-send-held', { result: 'accepted', becomes: 'queued' }, /^post, SQD, ibv_post_send/],
    ['ud-drop-qkey', { reply: 'ack' }, /^drop, another Q_Key, UD/],
  ])('are wrong with another %s', (rule, outcome, expected) => {
    const wrong = wrongIn(withOutcomes(set, { rule, outcomes: [outcome] }));
    expect(wrong.filter((text) => expected.test(text))).not.toEqual([]);
  });

  it('take no reason for a cell that is right, nor one for other words', () => {
    const strict = withOutcomes(set, { rule: 'status-abort', outcomes: [{ admissible: 'forbidden' }] });
    expect(wrongIn(strict)).toContainEqual(
      expect.stringMatching(/^status, Aborted Error.*the reason is for/),
    );
    const agreeing = withOutcomes(set, {
      rule: 'rc-report-misaligned',
      outcomes: [{ report: 'event', event: ['IBV_EVENT_QP_ACCESS_ERR'], qp: 'error', flush: 'all' }],
    });
    const stricter = withOutcomes(agreeing, {
      rule: 'rc-effects-misaligned',
      outcomes: [{ responderReport: 'event', responderEvent: ['IBV_EVENT_QP_ACCESS_ERR'] }],
    });
    expect(wrongIn(stricter)).toContainEqual(expect.stringMatching(/boundary.*event: .*a reason is given/));
  });
});

describe('the page', () => {
  it('is that of the rules', async () => {
    const page = errorModelPage(buildTables(model, set, statements));
    const style = { printWidth: 110, singleQuote: true, parser: 'markdown' } as const;
    expect(await format(page, style)).toBe(readProjectFile('docs/reference/error-model.md'));
  });
});

describe('a question', () => {
  it('asks for outcomes and for facts', () => {
    expect(ask('verbs-post-refused{refusedFor=full}.mustErrno', set).words).toEqual(['ENOMEM']);
    expect(ask('verbs-status{wcStatus=IBV_WC_REM_OP_ERR, admissible=allowed}.side', set)).toMatchObject({
      words: ['requester'],
      rules: [{ id: 'status-remote-requester' }],
    });
    expect(ask('opcode RDMA_WRITE_ONLY', set).words).toEqual(['0x0a']);
  });

  it('of which the rules know nothing is refused', () => {
    expect(() => ask('nonesuch{a=b}.c', set)).toThrow('asks for no table');
    expect(() => ask('verbs-post-refused{refusedFor=nonesuch}.mustErrno', set)).toThrow('is never nonesuch');
    expect(() => ask('verbs-post-refused{refusedFr=full}.mustErrno', set)).toThrow('refusedFr');
    expect(() => ask('verbs-post-refused{refusedFor=full}.mustErno', set)).toThrow('mustErno');
  });
});
