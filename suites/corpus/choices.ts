import type { ReferenceConfig } from '../../adapters/index.ts';

/**
 * Choices of a conformant device, so that rules which allow several are decided each way. A device takes no
 * notice of names that it does not know, such as one of another build.
 */
export function choicesOf({ congestion, outOfOrder }: ReferenceConfig): Partial<ReferenceConfig>[] {
  const { lineRate, cnp, dcqcn } = congestion;
  const firstRate = dcqcn && { dcqcn: { ...dcqcn, firstRate: 0.85 * lineRate, clampTarget: true } };
  return [
    { ack: 'every', coalesce: 8, coalesceDelay: 9000, congestion: { ...congestion, cut: 'at-once' } },
    {
      coalesce: 3,
      coalesceDelay: 4000,
      credits: 'receive-queue',
      ackEveryDuplicate: true,
      outOfOrder: { ...outOfOrder, fence: 'application' },
    },
    {
      writeImmFault: 'event',
      readFault: 'midway',
      ucFault: 'complete',
      srqAbort: true,
      congestion: { ...congestion, increase: 'two-counts', ...firstRate },
    },
    { busyEvery: 3, busyTimer: 2, processingDelay: 9000, outOfOrder: { ...outOfOrder, fencesAll: true } },
    {
      timeoutFactor: 4,
      window: 5,
      askEvery: 3,
      requestRestartsTimer: false,
      duplicateRestartsTimer: true,
      congestion: { ...congestion, cnp: { ...cnp, scope: 'source' }, cnpEcn: 2, cnpDscp: 0 },
    },
    {
      retryFrom: 'message',
      readRetry: 'whole',
      impliedNak: 'flight',
      window: 4,
      localCheck: 'message',
      outOfOrder: { ...outOfOrder, window: 4, cap: 4, rto: { low: 50_000, high: 900_000, few: 2 } },
    },
    {
      impliedNak: 'each',
      counterReload: 'request',
      nakUnderWay: 'ignored',
      rnrNakReloads: false,
      congestion: { ...congestion, cut: 'at-once', cnp: { interval: 20_000, scope: 'port' }, ...firstRate },
    },
    {
      reservedSyndrome: 'drop',
      badResponse: 'drop',
      rnrWaitFactor: 3,
      rnrNakAgain: 'ignored',
      minTimeout: 8,
      outOfOrder: { ...outOfOrder, window: 2, cap: 1, rto: { low: 80_000, high: 80_000, few: 3 } },
    },
    {
      malformed: 'refuse',
      longDatagram: 'complete',
      maxMessageBytes: 16384,
      datagramEstablishes: true,
      rateReports: false,
    },
    { apm: false, srqResize: false, portEvents: false, packetGap: 500, processingDelay: 0, rcm: false },
    {
      outOfRange: 'refuse',
      srqLimitAtOnce: false,
      longDatagram: 'refuse',
      ackEvery: 1,
      readsAsk: false,
      ooo: false,
    },
  ];
}
