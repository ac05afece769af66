import type { OutOfOrderProfile } from '../../../spec/out-of-order.ts';
import { saethFlags } from '../../../wire/packet.ts';
import { answer, bytes, type Fields } from '../trace/packets.ts';
import type { Plan } from '../trace/setup.ts';
import { Trace } from '../trace/trace.ts';

const usual: OutOfOrderProfile = {
  window: 8,
  cap: 4,
  rto: { low: 10_000, high: 40_000, few: 2 },
  fence: 'indicator',
  fencesAll: false,
};

export interface Options extends Plan {
  profile?: Partial<OutOfOrderProfile>;
  /** an RC QP that places nothing out of order */
  ordinary?: boolean;
}

/** Traces of an out-of-order QP, with PSNs before the wrap. */
export class OooTrace extends Trace {
  constructor({ profile, ordinary = false, attr, ...plan }: Options = {}) {
    super(ordinary ? 'RC' : 'ORC', {
      header: { outOfOrder: { ...usual, ...profile } },
      capabilities: ['ooo', 'irn'],
      judged: /^ooo\//,
      doubts: ['inconclusive', 'notJudged'],
      psn: 0xfffffe,
      attr: { max_dest_rd_atomic: 2, min_rnr_timer: 1, max_rd_atomic: 2, rnr_retry: 7, ...attr },
      ...plan,
    });
  }

  /** An Acknowledge of the DUT up to PSN `at`, caused by `trigger`. */
  ack(at: number, msn: number, trigger: number, selective = false, syndrome = 0x1f): this {
    return this.from('ACKNOWLEDGE', at, answer(msn, syndrome), this.#saeth(trigger, selective));
  }

  /** An Acknowledge to the DUT. */
  acked(at: number, msn: number, trigger = at, selective = false, syndrome = 0x1f): this {
    return this.to('ACKNOWLEDGE', at, answer(msn, syndrome), this.#saeth(trigger, selective));
  }

  #saeth(trigger: number, selective: boolean): Fields {
    const flags = selective ? saethFlags.selective : 0;
    return { saeth: { flags, trigger: (this.psn + trigger) & 0xffffff } };
  }
}

export const qp = (options?: Options): OooTrace => new OooTrace(options);

/** Payload of a packet that carries the first bytes of region 1 as they are at first. */
export const zeros = (length: number): { payload: Uint8Array } => ({ payload: bytes(length, 0) });
/** RETH of the memory that send WRs name. */
export const far = (dmaLen: number): Fields => ({ reth: { va: 0x4000n, rkey: 9, dmaLen } });

/** The `at`-th of SENDs of one packet is sent. */
export function sentOnce(trace: OooTrace, at: number): OooTrace {
  return trace.from('SEND_ONLY', at, { recv: at }, zeros(16));
}

/** `n` SENDs of one packet each are posted, and sent. */
export function sends(n: number, options?: Options): OooTrace {
  const trace = qp(options);
  for (let i = 0; i < n; i++) trace.send();
  for (let i = 0; i < n; i++) sentOnce(trace, i);
  return trace;
}
