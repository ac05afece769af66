import fc from 'fast-check';
import type { ReferenceConfig } from '../adapters/reference/index.ts';

type Choice = keyof ReferenceConfig;

/** What a conformant device may do otherwise than the reference NIC by default. Times in nanoseconds. */
const others: { readonly [K in Choice]?: readonly ReferenceConfig[K][] } = {
  processingDelay: [0, 1, 300, 3000, 9000],
  ack: ['every'],
  coalesce: [2, 3, 8, 1000],
  coalesceDelay: [100, 9000],
  ackEveryDuplicate: [true],
  credits: ['receive-queue'],
  writeImmFault: ['event'],
  busyEvery: [2, 3, 7],
  busyTimer: [2, 5],
  readFault: ['midway'],
  ucFault: ['complete'],
  srqAbort: [true],
  ucSrq: [false],
  datagramEstablishes: [true],
  minTimeout: [4, 8, 10],
  timeoutFactor: [1, 1.5, 3.3, 4],
  requestRestartsTimer: [false],
  duplicateRestartsTimer: [true],
  rnrWaitFactor: [1.5, 3, 10],
  progressEndsRnrWait: [false],
  window: [1, 2, 3, 5, 17],
  packetGap: [100, 500],
  ackEvery: [1, 2, 1000],
  askEvery: [2, 3, 4],
  localCheck: ['message'],
  readsAsk: [false],
  retryFrom: ['message'],
  readRetry: ['whole'],
  impliedNak: ['flight', 'each'],
  nakUnderWay: ['ignored'],
  rnrNakAgain: ['ignored'],
  counterReload: ['request'],
  rnrNakReloads: [false],
  recoveryWindow: [1, 2, 4],
  malformed: ['refuse'],
  longDatagram: ['complete', 'refuse'],
  maxMessageBytes: [16_384, 1 << 20, 1 << 30],
  reservedSyndrome: ['drop'],
  badResponse: ['drop'],
  portEvents: [false],
  srqResize: [false],
  srqLimitAtOnce: [true],
  apm: [false],
  outOfRange: ['refuse'],
  rcm: [false],
  rateReports: [false],
  ooo: [false],
  irn: [false],
};

/** Makes about a third of the choices otherwise. A function of `seed` alone. */
export function drawnChoices(seed: number): Partial<ReferenceConfig> {
  const drawn = Object.entries(others).map(([name, values]) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<[string, unknown][]>([]) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<unknown>(...values).map((value): [string, unknown][] => [[name, value]]),
      },
    ),
  );
  const [entries = []] = fc.sample(fc.tuple(...drawn), { seed, numRuns: 1 });
  const made: Partial<ReferenceConfig> = Object.fromEntries(entries.flat());
  const { processingDelay = 1000, coalesceDelay = 4000, packetGap = 0 } = made;
  // what it declares has to hold for all of them together
  return { ...made, responseTime: 20_000 + 3 * processingDelay + coalesceDelay + 8 * packetGap };
}
