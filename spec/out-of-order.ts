/**
 * What a device says of its out-of-order QPs: choices of the vendor, which rules take as data. Times in nanoseconds of the clock.
 * What the numbers mean on the wire is in docs/reference/out-of-order.md.
 */
export interface OutOfOrderProfile {
  /** packets from the expected PSN on that the responder keeps track of; one beyond is dropped */
  window: number;
  /**
   * request packets in flight at most: no new one is sent `cap` or more beyond the oldest that is not acknowledged. Binds devices with
   * the capability `irn`, which must declare it
   */
  cap?: number;
  /** retransmission timeout: `low` while fewer than `few` request packets are in flight, else `high`. As `cap`: of `irn` */
  rto?: { low: number; high: number; few: number };
  /**
   * How a request is kept from being overwritten by what is left of an older one. `indicator`: the requester holds back one whose
   * remote memory overlaps that of an unfinished one, and the responder drops what comes early for a receive buffer that
   * overlaps an unfinished one. `guard`: the responder takes what comes early for such a receive buffer, and sees to it that what is
   * left of the older message does not overwrite it. `application`: the one who posts takes care.
   */
  fence: 'indicator' | 'guard' | 'application';
  /** IBV_SEND_FENCE waits for all earlier work requests, not for READs and ATOMICs only */
  fencesAll: boolean;
}
