import { beforeAll, describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import type { MutantId } from '../../adapters/reference/mutants/table.ts';
import { flips } from '../../oracle/compile/flip.ts';
import { Judge, loadRules, type RuleSet } from '../../oracle/index.ts';
import { properties, type DriveResult } from '../../suites/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { schedule } from '../../suites/runner/schedule.ts';

const rules = loadRules();
const every = flips(rules);
const seed = 1;
const whole = { i: 1, n: 1 };

async function traces(mutant: MutantId | undefined, runs: number): Promise<DriveResult[]> {
  const adapter = referenceAdapter(mutant === undefined ? {} : { mutant });
  const executor = await Executor.open(adapter, rules, {});
  const found: DriveResult[] = [];
  for (const { generated } of schedule(properties, executor.profile, seed, runs, whole)) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    found.push(outcome.drive);
  }
  return found;
}

/** Rules found violated in the traces; ends as soon as `wanted` is among them. */
function violated(drives: readonly DriveResult[], set: RuleSet, wanted?: string): string[] {
  const found = new Set<string>();
  for (const { header, events } of drives) {
    const judge = new Judge(header, set);
    for (const event of events) judge.push(event);
    for (const { rule } of judge.finish().violations) found.add(rule);
    if (wanted !== undefined && found.has(wanted)) break;
  }
  return [...found];
}

/** The rules with one word of their YAML changed. */
function flipped(rule: string, key: string, to: string): RuleSet {
  const flip = every.find((f) => f.rule === rule && f.alternative === 0 && f.key === key && f.to === to);
  if (flip === undefined) throw new Error(`no flip of ${rule} sets ${key} to ${to}`);
  return loadRules({ files: flip.files });
}

describe('one word changed in the YAML', () => {
  let sound: DriveResult[] = [];
  beforeAll(async () => {
    sound = await traces(undefined, properties.length * 20);
  });

  it('none: the reference NIC breaks no rule', () => {
    expect(violated(sound, rules)).toEqual([]);
  });

  // Every table whose words demand something of a sound device.
  it.each([
    ['rc-drop-pkey', 'reply', 'ack'],
    ['rc-drop-unknown-qp', 'reply', 'ack'],
    ['frame-ethertype-wrong', 'reply', 'ack'],
    ['frame-ip-header-wrong', 'reply', 'ack'],
    ['frame-udp-header-wrong', 'reply', 'ack'],
    ['frame-cut-short', 'reply', 'ack'],
    ['rc-read-denied-midway', 'nakCode', 'invalid-request'],
    ['rc-read-denied-midway', 'reply', 'none'],
    ['rc-established', 'mustCome', 'no'],
    ['rc-request-ahead', 'nakCode', 'invalid-request'],
    ['rc-request-ahead', 'replyPsn', 'request'],
    ['rc-request-ahead', 'nakState', 'none'],
    ['rc-request-ahead-after-sequence-nak', 'reply', 'ack'],
    ['rc-opcode-out-of-sequence', 'nakCode', 'remote-access-error'],
    ['rc-receiver-not-ready', 'reply', 'none'],
    ['rc-remote-access-denied', 'nakCode', 'invalid-request'],
    ['rc-send-too-long', 'nakCode', 'remote-operational-error'],
    ['rc-read-executed', 'reply', 'none'],
    ['rc-write-complete-asked', 'reply', 'read-response'],
    ['rc-duplicate-send-write-asked', 'replyPsn', 'request'],
    ['rc-duplicate-send-write-asked', 'reply', 'none'],
    ['rc-duplicate-read', 'reply', 'none'],
    ['rc-duplicate-atomic', 'value', 'fresh'],
    ['rc-duplicate-atomic', 'reply', 'none'],
    ['rc-report-access-unbound', 'event', 'IBV_EVENT_QP_REQ_ERR'],
    ['rc-report-too-long', 'status', 'IBV_WC_LOC_PROT_ERR'],
    ['rc-report-too-long', 'report', 'event'],
    ['rc-msn-counts-messages', 'mustMsn', 'completed-without'],
    ['rc-receive-completes', 'mustCome', 'no'],
    ['rc-event-due', 'mustCome', 'no'],
    ['rc-state-after-fault', 'qp', 'kept'],
    ['rc-state-kept', 'qp', 'error'],
  ])('%s with %s: %s is broken by the reference NIC', (rule, key, to) => {
    expect(violated(sound, flipped(rule, key, to), rule)).toContain(rule);
  });

  // What a rule does to the model shows in whatever rule looks at it next.
  it.each([
    ['rc-write-complete-asked', 'expectedPsn', 'unchanged', 'rc-request-ahead'],
    ['rc-send-complete-asked', 'msn', 'unchanged', 'rc-msn-counts-messages'],
    ['rc-send-complete-asked', 'completion', 'none', 'rc-receive-undue'],
    ['rc-write-complete-asked', 'memory', 'untouched', 'rc-memory-refused'],
    ['rc-opcode-out-of-sequence', 'fault', 'access', 'rc-report-access-unbound'],
    ['rc-report-too-long', 'flush', 'none', 'rc-receive-undue'],
    ['rc-report-misaligned', 'qp', 'kept', 'rc-atomic-executed'],
  ])('%s with %s: %s makes the reference NIC break %s', (rule, key, to, next) => {
    expect(violated(sound, flipped(rule, key, to), next)).toContain(next);
  });
});

describe('a demand dropped from the YAML', () => {
  it.each([
    ['rc-memory-written', 'mustContent', 'any', 'write-loses-last-byte'],
    ['rc-receive-length', 'mustLength', 'any', 'byte-len-of-last-packet'],
    ['rc-receive-immediate', 'mustImmediate', 'any', 'immediate-byte-order'],
    ['rc-receive-undue', 'mustCome', 'yes', 'completion-doubled'],
    ['rc-msn-in-nak', 'mustMsn', 'any', 'nak-msn-zero'],
    ['frame-sent-sound', 'mustFrame', 'any', 'wrong-udp-length-sent'],
    ['rc-established-undue', 'mustCome', 'yes', 'established-repeated'],
    ['rc-response-unasked', 'mustAnswer', 'any', 'tail-loss-guessed'],
    ['rc-response-header', 'mustHeader', 'any', 'nak-with-payload'],
    ['rc-response-addressee', 'mustAddressee', 'any', 'response-to-own-number'],
    ['rc-ack-credits', 'mustCredits', 'any', 'credits-beyond-posted'],
    ['rc-atomic-data', 'mustData', 'any', 'atomic-returns-new-value'],
    ['rc-write-complete-asked', 'due', 'optional', 'ack-request-ignored'],
  ] as const)('%s with %s: %s lets the mutant %s pass', async (rule, key, to, mutant) => {
    const drives = await traces(mutant, properties.length * 8);
    expect(violated(drives, rules, rule)).toContain(rule);
    expect(violated(drives, flipped(rule, key, to))).not.toContain(rule);
  });
});
