import { VerbsError, type Clock } from '../../adapters/adapter.ts';
import type { TraceEvent, VerbsCall } from '../../oracle/trace.ts';
import { decode, frameFault } from '../../wire/index.ts';
import type { WireFate } from '../../adapters/fault-wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { LogLine, WireMark } from './result.ts';

/** Whether packets may leave, or an event may come, because of a call and before it is back. */
function actsBefore(noted: VerbsCall): boolean {
  if (noted.call === 'modify_qp') return noted.attr.qp_state === 'IBV_QPS_RTS';
  return noted.call === 'post_send' || noted.call === 'req_notify_cq';
}

/** Events that a trace has at most: what is wrong with a device that does more shows by these. */
export const mostEvents = 100_000;

/** Writes down what is seen at the DUT. Times are nanoseconds since the recorder was made and never decrease. */
export class Recorder {
  readonly events: TraceEvent[] = [];
  /** what the wire did to packets */
  readonly marks: WireMark[] = [];
  /** what the machine of the device logged */
  readonly log: LogLine[] = [];
  /** the device has done more than is written down: what comes is lost, and the trace ends with the gap that says so */
  full = false;
  private readonly clock: Clock;
  private readonly origin: number;
  private last = 0;
  private packets = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.origin = clock.now();
  }

  now(): number {
    return this.clock.now() - this.origin;
  }

  /** Time of an event: of the clock, or the earlier one that the wire measured, never before the last event. */
  stamp(clockTime?: number): number {
    const t = (clockTime ?? this.clock.now()) - this.origin;
    if (t > this.last) this.last = t;
    return this.last;
  }

  /** All that was noted, with these stalls, clock times, each in front of what was seen in it. */
  withStalls(spans: readonly { from: number; until: number }[]): TraceEvent[] {
    if (spans.length === 0) return this.events;
    const events: TraceEvent[] = [];
    let next = 0;
    for (const event of this.events) {
      for (let span = spans[next]; span !== undefined; span = spans[next]) {
        const t = Math.max(0, span.from - this.origin);
        if (t > event.t) break;
        events.push({ kind: 'stall', t, until: span.until - this.origin });
        next++;
      }
      events.push(event);
    }
    return events;
  }

  /** Clock time at which the trace begins. */
  get begun(): number {
    return this.origin;
  }

  logged(text: string, clockTime: number): void {
    const t = Math.max(0, clockTime - this.origin);
    const behind = this.clock.kind === 'virtual' ? this.events.at(-1) : undefined;
    this.log.push({ t, text, ...(behind !== undefined && { behind }) });
  }

  mark(toDut: boolean, packet: Packet, fate: WireFate): void {
    if (!this.full)
      this.marks.push({ t: this.now(), direction: toDut ? 'to-dut' : 'from-dut', packet, fate });
  }

  push(event: TraceEvent): void {
    if (this.full) return;
    this.events.push(event);
    if (this.events.length < mostEvents) return;
    this.full = true;
    this.events.push({ kind: 'gap', t: this.last, reason: 'the device does more than a trace holds' });
  }

  /** Notes a frame; gives its packet, or undefined where no port would take the frame for a RoCEv2 packet. */
  frame(direction: 'to-dut' | 'from-dut', frame: Uint8Array, clockTime?: number): Packet | undefined {
    const decoded = decode(frame);
    if (decoded.kind === 'packet' && frameFault(frame) === undefined) {
      this.packet(direction, decoded.packet, clockTime);
      return decoded.packet;
    }
    this.push({ kind: 'frame', t: this.stamp(clockTime), direction, frame });
    return undefined;
  }

  packet(direction: 'to-dut' | 'from-dut', packet: Packet, clockTime?: number): void {
    const t = this.stamp(clockTime);
    this.push({ kind: 'packet', t, direction, packet, number: ++this.packets });
  }

  /** Makes a call and notes it with what it returned. Throws what the call throws; nothing is noted then. */
  async call<T>(make: () => Promise<T>, noted: (result: T) => VerbsCall): Promise<T> {
    const start = this.stamp();
    const result = await make();
    this.push({ kind: 'call', t: this.stamp(), start, ...noted(result) });
    return result;
  }

  /**
   * Makes a call that the device may refuse; a refusal is noted, and not thrown. Gives whether it went through. One that did and
   * lets the device act is noted where it began, in front of all that was seen before it returned; others where they returned.
   */
  async attempt(qp: number, make: () => Promise<void>, noted: VerbsCall): Promise<boolean> {
    return (await this.attemptList(qp, make, [noted])) === 1;
  }

  /**
   * Likewise of a call that posts a list of work requests; gives how many the device has taken, by what it says. Each of them is noted as a
   * call. Where the device names none of the list as the refused one, it is unknown what it has taken.
   */
  async attemptList(qp: number, make: () => Promise<void>, noted: readonly VerbsCall[]): Promise<number> {
    const start = this.stamp();
    const place = this.events.length;
    const refusal = await refusalOf(make);
    const isList = noted.length > 1;
    const named = isList ? refusal?.badWr : 0;
    const bad = named === undefined ? undefined : noted[named];
    const taken = refusal === undefined ? noted : noted.slice(0, bad === undefined ? 0 : named);
    const listed = isList ? { listed: true } : {};
    for (const [i, call] of taken.entries()) {
      if (actsBefore(call) && !this.full)
        this.events.splice(place + i, 0, { kind: 'call', t: start, start, ...call, ...listed });
      else this.push({ kind: 'call', t: this.stamp(), start, ...call, ...listed });
    }
    if (refusal === undefined) return taken.length;
    const { call, errno, kept } = refusal;
    const attempted = bad ?? noted[0];
    const list = isList && {
      list: {
        wr_ids: noted.flatMap((one) => ('wr' in one ? one.wr.wr_id : [])),
        ...(bad && { bad_wr: taken.length }),
      },
    };
    this.push({
      kind: 'call-failed',
      t: this.stamp(),
      start,
      call,
      qp,
      errno,
      ...(attempted && { attempted }),
      ...list,
      ...(kept && { kept }),
    });
    if (bad === undefined)
      this.push({ kind: 'gap', t: this.stamp(), reason: 'which work requests of a list were posted' });
    return taken.length;
  }
}

/** Why a device refuses a call; `undefined` where it does not. */
export async function refusalOf(make: () => Promise<void>): Promise<VerbsError | undefined> {
  try {
    await make();
    return undefined;
  } catch (error) {
    if (error instanceof VerbsError) return error;
    throw error;
  }
}
