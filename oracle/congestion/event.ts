import type { Qp } from '../device/qp.ts';
import type { Stalls } from '../device/stalls.ts';
import { qpInputs } from './arrival.ts';
import type { Declared } from './machine.ts';
import type { CongestionInputs } from './variables.ts';

/** What is the same for all events of a trace: what the device declares, and how well times are known (nanoseconds). */
export interface EventSurroundings {
  readonly declared: Declared;
  readonly stalls: Stalls;
  readonly slack: number;
  readonly jitter: number;
  /** bits that have left the port by now */
  readonly sentBits: number;
}

/** What an event is about besides. */
export type EventParts = Partial<
  Pick<CongestionInputs, 'posted' | 'sent' | 'report' | 'flow' | 'field' | 'mark' | 'unseenUntil'>
>;

const noParts: EventParts = {};

/** What the expressions of the machine may ask of one event; RangeError where the event has nothing of the kind. */
export class CongestionEvent implements Partial<CongestionInputs> {
  readonly profile: Declared['profile'];
  readonly cnp: Declared['cnp'];
  readonly dcqcn: Declared['dcqcn'];
  readonly tolerance: Declared['tolerance'];
  readonly at: number;
  readonly now: number;
  readonly #around: EventSurroundings;
  readonly #parts: EventParts;

  /** `t`: when it was seen; `now`: the same, and later for a question of what may have come in time. */
  constructor(around: EventSurroundings, t: number, parts = noParts, now = t) {
    const { profile, cnp, dcqcn, tolerance } = around.declared;
    this.profile = profile;
    this.cnp = cnp;
    this.dcqcn = dcqcn;
    this.tolerance = tolerance;
    this.at = t;
    this.now = now;
    this.#around = around;
    this.#parts = parts;
  }

  get event(): CongestionInputs['event'] {
    return this;
  }

  /** Of a packet that leaves, the earliest that it would have left if it had not waited for others. */
  get earliest(): number {
    const { stalls } = this.#around;
    return stalls.earliest(this.#parts.sent !== undefined ? stalls.port.unhindered(this.at) : this.at);
  }

  /** The earliest that a packet which leaves may have been made. */
  get made(): number {
    return this.earliest - this.#around.jitter;
  }

  get queued(): number {
    return this.at - this.#around.stalls.port.unhindered(this.at);
  }

  get jitter(): number {
    return this.#around.jitter;
  }

  get slack(): number {
    return this.#around.slack;
  }

  get port(): CongestionInputs['port'] {
    return { sent: this.#around.sentBits };
  }

  ran(since: number): number {
    return this.at - since - this.#around.stalls.between(since, this.at);
  }

  get posted(): CongestionInputs['posted'] {
    return this.#parts.posted ?? lacking('posted');
  }

  get sent(): CongestionInputs['sent'] {
    return this.#parts.sent ?? lacking('sent');
  }

  get report(): CongestionInputs['report'] {
    return this.#parts.report ?? lacking('report');
  }

  get flow(): CongestionInputs['flow'] {
    return this.#parts.flow ?? lacking('flow');
  }

  get field(): CongestionInputs['field'] {
    return this.#parts.field ?? lacking('field');
  }

  get mark(): CongestionInputs['mark'] {
    return this.#parts.mark ?? lacking('mark');
  }

  get unseenUntil(): number | undefined {
    return this.#parts.unseenUntil;
  }
}

function lacking(what: keyof EventParts): never {
  throw new RangeError(`the event has no ${what}`);
}

interface LimiterInputs {
  readonly qp: Qp;
  readonly unnoted: readonly unknown[];
  readonly othersNamed: boolean;
}

/** An event of a QP whose rate the reaction point looks after. */
export class RateEvent extends CongestionEvent {
  readonly qp: CongestionInputs['qp'];
  readonly #limiter: LimiterInputs;

  constructor(limiter: LimiterInputs, around: EventSurroundings, t: number, parts = noParts, now = t) {
    super(around, t, parts, now);
    this.qp = qpInputs(limiter.qp);
    this.#limiter = limiter;
  }

  get cnps(): CongestionInputs['cnps'] {
    return { unnoted: this.#limiter.unnoted.length };
  }

  get neighbours(): CongestionInputs['neighbours'] {
    return { named: this.#limiter.othersNamed };
  }
}

/** An event of which only what is beyond doubt counts: no stall excuses anything, and nothing is late. */
export class ExactEvent extends CongestionEvent {
  override get slack(): number {
    return 0;
  }

  override ran(since: number): number {
    return this.at - since;
  }
}

/** An event of a flow in a capture, of whose QP no more is known than that it sends, and to whom. */
export class CapturedEvent extends CongestionEvent {
  readonly qp: CongestionInputs['qp'];

  constructor(
    around: EventSurroundings,
    t: number,
    parts = noParts,
    flow?: { service: CongestionInputs['qp']['service']; to: string },
  ) {
    super(around, t, parts);
    const service = flow?.service ?? 'other';
    this.qp = { pmtu: 0, service, state: 'RTS', qkey: undefined, peerAddress: flow?.to };
  }
}
