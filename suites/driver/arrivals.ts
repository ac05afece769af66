import type { RateRecord } from '../../spec/congestion.ts';
import type { TraceEvent } from '../../oracle/trace.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Member } from './member.ts';
import type { Recorder } from './recorder.ts';
import type { RunRoutes } from './shared-bench.ts';

type AsyncNoted = Extract<TraceEvent, { kind: 'async' }>;

/** What comes from the device during a run: written down, and given to the scenario that it is part of. */
export class Arrivals implements RunRoutes {
  private readonly recorder: Recorder;
  private readonly members: readonly Member[];
  /** events behind which nobody has polled the CQs yet, though what completes later is another thing */
  private unpolled: AsyncNoted[] = [];
  /** the only one of them, where there are no others */
  private readonly only: Member | undefined;
  /** by QP number of the far end */
  private readonly byPeer = new Map<number, Member>();

  constructor(recorder: Recorder, members: readonly Member[]) {
    this.recorder = recorder;
    this.members = members;
    this.only = members.length === 1 ? members[0] : undefined;
  }

  /** The QPs are there: packets for a QP of the far end are its member's. */
  begin(): void {
    for (const member of this.members)
      for (const qp of member.parties.belongings.peerQps) this.byPeer.set(qp, member);
  }

  fromDut(packet: Packet, time: number): void {
    const { destQp, deth } = packet;
    const owner =
      this.only ?? this.byPeer.get(destQp) ?? (deth === undefined ? undefined : this.ofQp(deth.srcQp));
    if (owner !== undefined) {
      owner.fromDut(packet, time);
      return;
    }
    this.active();
    this.recorder.packet('from-dut', packet, time);
  }

  fromPeer(frame: Uint8Array, destQp: number): void {
    (this.only ?? this.ofQp(destQp))?.fromPeer(frame);
  }

  malformedFromDut(frame: Uint8Array, time: number): void {
    this.active();
    this.recorder.frame('from-dut', frame, time);
  }

  async(event: AsyncEvent, time: number): void {
    this.active();
    const noted: AsyncNoted = { kind: 'async', t: this.recorder.stamp(time), event };
    this.recorder.push(noted);
    if (event.event_type === 'IBV_EVENT_QP_LAST_WQE_REACHED') this.unpolled.push(noted);
  }

  secondContext(event: AsyncEvent, time: number): void {
    this.active();
    this.recorder.push({ kind: 'second-context', t: this.recorder.stamp(time), event });
  }

  /** Whether an event has come since the CQs were polled last, so that they should be before anything else happens. */
  get pollDue(): boolean {
    return this.unpolled.length > 0;
  }

  /** Takes what is in the CQs by `drain`, and notes when that was done. */
  async poll(drain: () => Promise<unknown>): Promise<void> {
    const due = this.unpolled;
    this.unpolled = [];
    await drain();
    for (const noted of due) noted.polled = this.recorder.stamp();
  }

  logged(text: string, time: number): void {
    this.recorder.logged(text, time);
  }

  cqEvent(cq: number, time: number): void {
    this.active();
    this.recorder.push({ kind: 'cq-event', t: this.recorder.stamp(time), cq });
  }

  rate(record: RateRecord, time: number): void {
    this.recorder.push({ kind: 'rate', t: this.recorder.stamp(time), record });
    (this.only ?? this.ofQp(record.qp_num))?.rest.paced(record.rate);
  }

  private ofQp(qpNumber: number): Member | undefined {
    return this.members.find(({ parties }) => parties.ofDut.some(({ qpNum }) => qpNum === qpNumber));
  }

  /** Something came from the device, whichever QP it is about. */
  private active(): void {
    this.members[0]?.rest.active();
  }
}
