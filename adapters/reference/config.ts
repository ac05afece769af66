/** What a conformant device may choose; each setting stays inside the spec. Times in nanoseconds of the clock. */
export interface ReferenceConfig {
  /** from the arrival of a frame to its processing */
  processingDelay: number;
  /** ACK a SEND or WRITE when asked, or every packet */
  ack: 'requested' | 'every';
  /** answer that many ACK requests with one ACK at most `coalesceDelay` later; 1 = each at once */
  coalesce: number;
  coalesceDelay: number;
  /** ACK a duplicate SEND or WRITE that did not ask for it as well */
  ackEveryDuplicate: boolean;
  /** credit code: 0x1f always, or what the receive queue holds */
  credits: 'unlimited' | 'receive-queue';
  /** report a fault of a WRITE with immediate on its receive WQE, or as async event */
  writeImmFault: 'completion' | 'event';
  /** the ACK timeout is detected at this multiple of T */
  timeoutFactor: number;
  /** request packets in flight */
  window: number;
  /** request packets between two that ask for an ACK in a long message */
  ackEvery: number;
}

export const defaultConfig: ReferenceConfig = {
  processingDelay: 1000,
  ack: 'requested',
  coalesce: 1,
  coalesceDelay: 4000,
  ackEveryDuplicate: false,
  credits: 'unlimited',
  writeImmFault: 'completion',
  timeoutFactor: 2,
  window: 128,
  ackEvery: 16,
};
