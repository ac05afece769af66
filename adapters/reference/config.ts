import { defaultCongestion, type CongestionSettings } from './congestion/settings.ts';
import { limits } from './device/limits.ts';
import { defaultOutOfOrder } from './ooo/settings.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';

/** What a conformant device may choose; each setting stays inside the spec. Times in nanoseconds of the clock. */
export interface ReferenceConfig {
  /** from the arrival of a frame to its processing, and from a reason to send to sending */
  processingDelay: number;
  /** what the device declares: the longest until something that waits for no timer is answered or reported */
  responseTime: number;
  /** what the device declares: how much later than others a packet may leave */
  wireJitter: number;

  // responder

  /** ACK a SEND or WRITE when asked, or every packet */
  ack: 'requested' | 'every';
  /** answer that many ACK requests with one ACK at most `coalesceDelay` later; 1 = each at once */
  coalesce: number;
  coalesceDelay: number;
  /** ACK a duplicate SEND or WRITE that did not ask for it as well */
  ackEveryDuplicate: boolean;
  /** a duplicate SEND or WRITE of a length that no such packet has is acknowledged like any other, or dropped */
  malformedDuplicate: 'acknowledged' | 'dropped';
  /** credit code: 0x1f always, or what the receive queue holds */
  credits: 'unlimited' | 'receive-queue';
  /** report a fault of a WRITE with immediate on its receive WQE, or as async event */
  writeImmFault: 'completion' | 'event';
  /** be not ready for every n-th request with the expected PSN that is no SEND, and say so by RNR NAK; 0 = never */
  busyEvery: number;
  /** timer code of such an RNR NAK, 0..31 */
  busyTimer: number;
  /** look at all the memory that a READ asks for first, or packet by packet while it is answered */
  readFault: 'before' | 'midway';

  /** an oversized or forbidden UC message is dropped, or completes the receive WQE that it has taken and ends the QP */
  ucFault: 'drop' | 'complete';
  /** QPs of UC may be on an SRQ */
  ucSrq: boolean;
  /** a receive WQE of an SRQ that a lost UC message had taken completes as aborted, or goes back */
  srqAbort: boolean;
  /** COMM_EST for the first datagram of a UD QP as well */
  datagramEstablishes: boolean;

  // timers of the requester

  /** smallest code of the ACK timeout with an effect of its own, 1..31; smaller ones but 0 act like it */
  minTimeout: number;
  /** the ACK timeout is detected at this multiple of T, 1..4 */
  timeoutFactor: number;
  /** the interval counts from the newest request that must be answered, or from the oldest one still unanswered */
  requestRestartsTimer: boolean;
  /** an ACK that acknowledges nothing new restarts the ACK timer, which the spec neither asks for nor forbids */
  duplicateRestartsTimer: boolean;
  /** the RNR wait lasts that many times what the NAK says, at least 1 */
  rnrWaitFactor: number;
  /** the RNR wait ends when the refused request is acknowledged all the same */
  progressEndsRnrWait: boolean;

  // what the requester sends

  /** request packets in flight, 1..2^23-1 */
  window: number;
  /** between two request packets; 0 = they leave together */
  packetGap: number;
  /** request packets between two that ask for an ACK in a long message; 1 = every packet asks */
  ackEvery: number;
  /** messages of which the last packet asks: every n-th, and each with nothing to send behind it */
  askEvery: number;
  /** a request's own memory is checked packet by packet as it is used, or all of it before the first packet leaves */
  localCheck: 'packet' | 'message';
  /** AckReq of READ and ATOMIC requests, which are answered either way */
  readsAsk: boolean;

  // retries

  /** a retry begins with the packet that is missing, or with the first of its message */
  retryFrom: 'packet' | 'message';
  /** a retried READ asks for what is missing, or for all of it again */
  readRetry: 'narrowed' | 'whole';
  /**
   * answers that show a gap: only the first of them is an implied NAK until something is gained or timed out, one of each set
   * that comes in ascending order, or each
   */
  impliedNak: 'once' | 'flight' | 'each';
  /** a NAK that comes while what it asks for is still being sent again counts as one more, or not at all */
  nakUnderWay: 'counted' | 'ignored';
  /** an RNR NAK that repeats one while its wait runs counts as one more, or not at all */
  rnrNakAgain: 'counted' | 'ignored';
  /** counters are reloaded when any packet is acknowledged for the first time, or a whole request */
  counterReload: 'packet' | 'request';
  /** an RNR NAK that acknowledges earlier requests reloads the RNR counter, before it is counted */
  rnrNakReloads: boolean;
  /** a NAK PSN sequence error reloads the RNR counter: where it acknowledges something, always, or never */
  sequenceNakReloadsRnr: 'progress' | 'always' | 'never';
  /** an RNR NAK that passes over a READ or ATOMIC without its response counts as an implied NAK, or has all of it wait */
  rnrNakBehindGap: 'implied-nak' | 'waits';

  /** request packets in flight from a retry on until something is gained, 1..2^23-1 */
  recoveryWindow: number;

  // work requests that no device can carry out

  /** a malformed work request is refused when it is posted, or completes in error when its turn comes */
  malformed: 'refuse' | 'complete';
  /** a datagram that is too long for the port vanishes, completes in error, or is refused when it is posted */
  longDatagram: 'vanish' | 'complete' | 'refuse';
  /** longest message, in bytes, 1..2^31 */
  maxMessageBytes: number;

  // answers that no responder should give

  /** a reserved syndrome or NAK code ends the connection, or is dropped */
  reservedSyndrome: 'bad-response' | 'drop';
  /** data of another length, place or kind than asked for end the connection, or are dropped */
  badResponse: 'bad-response' | 'drop';

  // port and shared receive queues

  /** link down and up come as events */
  portEvents: boolean;
  /** its SRQs may fail */
  srqErrors: boolean;
  /** modify_srq may change the size */
  srqResize: boolean;
  /** a limit that is armed above what the SRQ holds fires at once, or when the next WQE is taken */
  srqLimitAtOnce: boolean;

  /** automatic path migration */
  apm: boolean;
  /** a counter or code that is too wide for its field is cut to it, or refused */
  outOfRange: 'cut' | 'refuse';

  // congestion

  /** RoCEv2 congestion management: own packets are ECN capable, and packets that met congestion are answered by CNPs */
  rcm: boolean;
  congestion: CongestionSettings;
  /** the reaction point reports its rates */
  rateReports: boolean;

  // out-of-order delivery

  /** QPs may be made that place packets out of order */
  ooo: boolean;
  /** what it declares of them says how it recovers what is lost, which is like IRN */
  irn: boolean;
  outOfOrder: Required<OutOfOrderProfile>;
}

/** The choices of the reference NIC where none are given. */
export const defaultConfig: ReferenceConfig = {
  processingDelay: 1000,
  responseTime: 20_000,
  wireJitter: 0,
  ack: 'requested',
  coalesce: 1,
  coalesceDelay: 4000,
  ackEveryDuplicate: false,
  malformedDuplicate: 'acknowledged',
  credits: 'unlimited',
  writeImmFault: 'completion',
  busyEvery: 0,
  busyTimer: 1,
  readFault: 'before',
  ucFault: 'drop',
  srqAbort: false,
  ucSrq: true,
  datagramEstablishes: false,
  minTimeout: 1,
  timeoutFactor: 2,
  requestRestartsTimer: true,
  duplicateRestartsTimer: false,
  rnrWaitFactor: 1,
  progressEndsRnrWait: true,
  window: 128,
  packetGap: 0,
  ackEvery: 16,
  askEvery: 1,
  localCheck: 'packet',
  readsAsk: true,
  retryFrom: 'packet',
  readRetry: 'narrowed',
  impliedNak: 'once',
  nakUnderWay: 'counted',
  rnrNakAgain: 'counted',
  counterReload: 'packet',
  rnrNakReloads: true,
  sequenceNakReloadsRnr: 'progress',
  rnrNakBehindGap: 'implied-nak',
  recoveryWindow: 0x7fffff,
  malformed: 'complete',
  longDatagram: 'vanish',
  maxMessageBytes: limits.maxMessageBytes,
  reservedSyndrome: 'bad-response',
  badResponse: 'bad-response',
  portEvents: true,
  srqErrors: false,
  srqResize: true,
  srqLimitAtOnce: false,
  apm: true,
  outOfRange: 'cut',
  rcm: true,
  congestion: defaultCongestion,
  rateReports: true,
  ooo: true,
  irn: true,
  outOfOrder: defaultOutOfOrder,
};
