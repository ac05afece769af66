import { beforeAll, describe, expect, it } from 'vitest';
import { referenceAdapter, type MutantId } from '../../adapters/reference/index.ts';
import { flips } from '../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../oracle/compile/variant.ts';
import { Judge, loadRules, type Judgement, type RuleSet } from '../../oracle/index.ts';
import { properties, type DriveResult, type SuiteProperty } from '../../suites/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { schedule } from '../../suites/runner/schedule.ts';

const rules = loadRules();
const every = flips(rules);
const seed = 1;
const whole = { i: 1, n: 1 };

/** A case, and what the rules as they are say to it. */
interface Case {
  drive: DriveResult;
  judgement: Judgement;
}

/** Cases on the reference NIC: `runs` of each property, in turn. */
async function* cases(
  mutant: MutantId | undefined,
  selected: readonly SuiteProperty[],
  runs: number,
): AsyncGenerator<Case> {
  const adapter = referenceAdapter(mutant === undefined ? {} : { mutant });
  const executor = await Executor.open(adapter, rules, {});
  for (const { generated } of schedule(selected, executor.profile, seed, selected.length * runs, whole)) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    yield outcome;
  }
}

/** Cases up to the third in which the mutant breaks the rule, those of properties that aim at it first. */
async function caught(mutant: MutantId, rule: string): Promise<Case[]> {
  const found: Case[] = [];
  let deaths = 0;
  const aiming = properties.filter(({ aims }) => aims?.includes(rule));
  for (const selected of [aiming, properties])
    for await (const one of cases(mutant, selected, 8)) {
      found.push(one);
      if (violatedIn(one.judgement).includes(rule) && ++deaths === 3) return found;
    }
  return found;
}

function violatedIn({ violations }: Judgement): string[] {
  return violations.map(({ rule }) => rule);
}

/**
 * Rules found violated in the cases by other rules; ends as soon as `wanted` is among them. Other words in the rule `changed`
 * are seen nowhere but where it decided something.
 */
function violated(all: readonly Case[], set: RuleSet, changed: string, wanted?: string): string[] {
  const found = new Set<string>();
  for (const { drive, judgement } of all) {
    if (!judgement.exercised.has(changed)) continue;
    const judge = new Judge(drive.header, set);
    for (const event of drive.events) judge.push(event);
    for (const rule of violatedIn(judge.finish())) found.add(rule);
    if (wanted !== undefined && found.has(wanted)) break;
  }
  return [...found];
}

/** The rules with one word of their YAML changed. */
function flipped(rule: string, key: string, to: string): RuleSet {
  const flip = every.find((f) => f.rule === rule && f.alternative === 0 && f.key === key && f.to === to);
  if (flip === undefined) throw new Error(`no flip of ${rule} sets ${key} to ${to}`);
  return withOutcomes(rules, flip);
}

describe('one word changed in the YAML', () => {
  const sound: Case[] = [];
  beforeAll(async () => {
    for await (const one of cases(undefined, properties, 20)) sound.push(one);
  }, 300_000);

  it('none: the reference NIC breaks no rule', () => {
    expect(sound.flatMap(({ judgement }) => violatedIn(judgement))).toEqual([]);
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
    ['rc-established', 'mustCome', 'never'],
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
    ['rc-receive-completes', 'mustCome', 'never'],
    ['rc-event-due', 'mustCome', 'never'],
    ['rc-state-after-fault', 'qp', 'kept'],
    ['rc-state-kept', 'qp', 'error'],
  ])('%s with %s: %s is broken by the reference NIC', (rule, key, to) => {
    expect(violated(sound, flipped(rule, key, to), rule, rule)).toContain(rule);
  });

  // What a rule does to the model shows in whatever rule looks at it next.
  it.each([
    ['rc-write-complete-asked', 'expectedPsn', '', 'rc-request-ahead'],
    ['rc-send-complete-asked', 'msn', 'unchanged', 'rc-msn-counts-messages'],
    ['rc-send-complete-asked', 'completion', 'none', 'rc-receive-undue'],
    ['rc-write-complete-asked', 'memory', 'untouched', 'rc-memory-refused'],
    ['rc-opcode-out-of-sequence', 'fault', 'access', 'rc-report-access-unbound'],
    ['rc-report-too-long', 'flush', '', 'rc-receive-undue'],
    ['rc-report-misaligned', 'qp', 'kept', 'rc-atomic-executed'],
  ])('%s with %s: %s makes the reference NIC break %s', (rule, key, to, next) => {
    expect(violated(sound, flipped(rule, key, to), rule, next)).toContain(next);
  });
});

describe('a demand dropped from the YAML', () => {
  it.each([
    ['rc-memory-written', 'mustContent', '', 'write-loses-last-byte'],
    ['rc-receive-length', 'mustLength', '', 'byte-len-of-last-packet'],
    ['rc-receive-immediate', 'mustImmediate', '', 'immediate-byte-order'],
    ['rc-receive-undue', 'mustCome', 'once', 'completion-doubled'],
    ['rc-msn-in-nak', 'mustMsn', '', 'nak-msn-zero'],
    ['frame-sent-sound', 'mustFrame', '', 'wrong-udp-length-sent'],
    ['rc-established-undue', 'mustCome', 'once', 'established-repeated'],
    ['rc-response-unasked', 'mustAnswer', '', 'tail-loss-guessed'],
    ['rc-response-header', 'mustHeader', '', 'nak-with-payload'],
    ['rc-response-addressee', 'mustAddressee', '', 'response-to-own-number'],
    ['rc-ack-credits', 'mustCredits', '', 'credits-beyond-posted'],
    ['rc-atomic-data', 'mustData', '', 'atomic-returns-new-value'],
    ['rc-write-complete-asked', 'due', 'optional', 'ack-request-ignored'],
  ] as const)('%s with %s: %s lets the mutant %s pass', async (rule, key, to, mutant) => {
    const all = await caught(mutant, rule);
    expect(violated(all, rules, rule)).toContain(rule);
    expect(violated(all, flipped(rule, key, to), rule)).not.toContain(rule);
  });
});
