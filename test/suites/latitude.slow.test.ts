import { describe, expect, it } from 'vitest';
import { referenceAdapter, type ReferenceConfig } from '../../adapters/reference/index.ts';
import { rcRequester, rcResponder, runConformance, type SuiteProperty } from '../../suites/index.ts';
import { uc } from '../../suites/unreliable/uc.ts';
import { ud } from '../../suites/unreliable/ud.ts';
import { drawnChoices } from '../../scripts/drawn-choices.ts';
import { properties as everything } from '../../suites/index.ts';
import { verbs } from '../../suites/verbs/index.ts';

/** What a conformant responder may choose otherwise than the reference NIC does by default. */
const choices: readonly Partial<ReferenceConfig>[] = [
  { ack: 'every' },
  { coalesce: 3, coalesceDelay: 4000 },
  { ack: 'every', coalesce: 8, coalesceDelay: 9000 },
  { coalesce: 1000, coalesceDelay: 100 },
  { ackEveryDuplicate: true },
  { malformedDuplicate: 'dropped' },
  { credits: 'receive-queue' },
  { writeImmFault: 'event' },
  { readFault: 'midway' },
  { busyEvery: 3, busyTimer: 2 },
  { processingDelay: 0 },
  { processingDelay: 9000 },
  {
    ack: 'every',
    coalesce: 5,
    ackEveryDuplicate: true,
    credits: 'receive-queue',
    writeImmFault: 'event',
    processingDelay: 300,
  },
];

/** What a conformant requester may choose otherwise. */
const requesters: readonly Partial<ReferenceConfig>[] = [
  { timeoutFactor: 1 },
  { timeoutFactor: 4 },
  { window: 1 },
  { packetGap: 500 },
  { ackEvery: 1, readsAsk: false },
  { ackEvery: 1000, askEvery: 4 },
  { localCheck: 'message' },
  { retryFrom: 'message' },
  { readRetry: 'whole' },
  { impliedNak: 'flight' },
  { impliedNak: 'each', counterReload: 'request' },
  { rnrNakReloads: false },
  { sequenceNakReloadsRnr: 'always' },
  { sequenceNakReloadsRnr: 'never', rnrNakBehindGap: 'waits' },
  { rnrWaitFactor: 3 },
  { duplicateRestartsTimer: true },
  { reservedSyndrome: 'drop', badResponse: 'drop' },
  { processingDelay: 0 },
  { minTimeout: 8 },
  { requestRestartsTimer: false, timeoutFactor: 4 },
  { timeoutFactor: 3.3, processingDelay: 9000 },
  { progressEndsRnrWait: false, rnrNakAgain: 'ignored' },
  { nakUnderWay: 'ignored', impliedNak: 'each' },
  { window: 5, askEvery: 3 },
  { retryFrom: 'message', readRetry: 'whole', impliedNak: 'flight', window: 4 },
  { apm: false },
];

/** What a conformant device may choose otherwise as either end of UC and UD. */
const unreliable: readonly Partial<ReferenceConfig>[] = [
  { ucFault: 'complete' },
  { srqAbort: true },
  { ucFault: 'complete', srqAbort: true },
  { datagramEstablishes: true },
  { longDatagram: 'complete' },
  { longDatagram: 'refuse' },
  { malformed: 'refuse' },
  { maxMessageBytes: 1 << 20 },
  { maxMessageBytes: 16384 },
  { localCheck: 'message' },
  { window: 1, packetGap: 500 },
  { processingDelay: 9000 },
];

/** Cases of each property. */
const each = 1;

/** What goes wrong, in as many words; nothing where all is well. */
async function troubles(
  properties: readonly SuiteProperty[],
  responder: Partial<ReferenceConfig>,
  runs = properties.length * each,
): Promise<unknown[]> {
  const adapter = referenceAdapter({ responder });
  const result = await runConformance({ adapter, properties, seed: 5, runs });
  return [
    ...result.errors,
    ...result.failures.map((f) => [f.rule, f.expected, f.observed, f.token]),
    ...result.rules.filter((r) => r.violations > 0).map((r) => r.id),
    ...(result.cases === runs ? [] : [`${result.cases} cases instead of ${runs}`]),
  ];
}

describe('a responder that makes other choices breaks no rule', () => {
  it.each(choices.map((choice) => [JSON.stringify(choice), choice] as const))('%s', async (_, choice) => {
    expect(await troubles(rcResponder, choice)).toEqual([]);
  });
});

describe('a requester that makes other choices breaks no rule', () => {
  it.each(requesters.map((choice) => [JSON.stringify(choice), choice] as const))('%s', async (_, choice) => {
    expect(await troubles(rcRequester, choice)).toEqual([]);
  });
});

describe('a device that makes other choices for UC and UD breaks no rule', () => {
  it.each(unreliable.map((choice) => [JSON.stringify(choice), choice] as const))('%s', async (_, choice) => {
    expect(await troubles([...uc, ...ud], choice)).toEqual([]);
  });
});

describe('a device that makes other choices for the verbs breaks no rule', () => {
  const choices: readonly Partial<ReferenceConfig>[] = [
    { srqResize: false },
    { portEvents: false },
    { malformed: 'refuse' },
    { localCheck: 'message' },
    { processingDelay: 0 },
  ];
  it.each(choices.map((choice) => [JSON.stringify(choice), choice] as const))('%s', async (_, choice) => {
    expect(await troubles(verbs, choice)).toEqual([]);
  });
});

describe('a device that makes many other choices at once breaks no rule', () => {
  const seeds = [104, 128, 3, 4, 5, 6];
  it.each(seeds)('choices of seed %i', async (seed) => {
    expect(await troubles(everything, drawnChoices(seed))).toEqual([]);
  });
});

/** Choices that only few cases tell from others. */
const rare: readonly [string, string[], Partial<ReferenceConfig>][] = [
  [
    'a NAK is ignored while packets are sent again one by one',
    ['rc-requester/sequence-nak'],
    { packetGap: 500, nakUnderWay: 'ignored' },
  ],
  ['or in a small window', ['rc-requester/errors-with-many'], { recoveryWindow: 4, nakUnderWay: 'ignored' }],
  ['a NAK waits for the end of an RNR wait', ['rc-requester/walk'], { progressEndsRnrWait: false }],
  [
    'a device that is busy is asked until retries are used up',
    ['effects/rc-sound', 'verbs/rights-in-use'],
    { busyEvery: 3 },
  ],
  ['a message that is given up takes a WQE of an SRQ with it', ['device/one-srq'], { srqAbort: true }],
];

describe('choices that meet break no rule', () => {
  it.each(rare)('%s', async (_, ids, choice) => {
    const chosen = everything.filter(({ id }) => ids.includes(id));
    expect(await troubles(chosen, { ...choice, responseTime: 27_000 }, 1000 * ids.length)).toEqual([]);
  });
});
