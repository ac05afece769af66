import type { Adapter, ReferenceConfig } from '../../adapters/index.ts';
import type { Build } from './build.ts';

/**
 * Choices of a conformant device, so that rules which allow several are decided each way. The names are those of the build
 * before; of what it does not know it takes no notice.
 */
const choices: readonly Partial<ReferenceConfig>[] = [
  { ack: 'every', coalesce: 8, coalesceDelay: 9000 },
  { coalesce: 3, coalesceDelay: 4000, credits: 'receive-queue', ackEveryDuplicate: true },
  { writeImmFault: 'event', readFault: 'midway', ucFault: 'complete', srqAbort: true },
  { busyEvery: 3, busyTimer: 2, processingDelay: 9000 },
  { timeoutFactor: 4, window: 5, askEvery: 3, requestRestartsTimer: false, duplicateRestartsTimer: true },
  { retryFrom: 'message', readRetry: 'whole', impliedNak: 'flight', window: 4, localCheck: 'message' },
  { impliedNak: 'each', counterReload: 'request', nakUnderWay: 'ignored', rnrNakReloads: false },
  { reservedSyndrome: 'drop', badResponse: 'drop', rnrWaitFactor: 3, rnrNakAgain: 'ignored', minTimeout: 8 },
  { malformed: 'refuse', longDatagram: 'complete', maxMessageBytes: 16384, datagramEstablishes: true },
  { apm: false, srqResize: false, portEvents: false, packetGap: 500, processingDelay: 0 },
  { outOfRange: 'refuse', srqLimitAtOnce: false, longDatagram: 'refuse', ackEvery: 1, readsAsk: false },
];

/** The same device of both builds. */
export interface Devices {
  before: Adapter;
  after: Adapter;
}

/** Devices of both builds: the first as the reference NIC is by default, the others with other choices. */
export function allDevices(before: Build, after: Build): Devices[] {
  return [{}, ...choices].map((responder) => ({
    before: before.referenceAdapter({ responder }),
    after: after.referenceAdapter({ responder }),
  }));
}
