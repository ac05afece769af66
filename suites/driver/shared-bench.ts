import type { Bench, Wire } from '../../adapters/adapter.ts';
import { ReferenceNic } from '../../adapters/reference/index.ts';
import type { TraceHeader } from '../../oracle/trace.ts';
import { decode } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { RateRecord } from '../../spec/congestion.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import { EventCopies } from './event-copies.ts';
import { StallMeter } from './stall.ts';
import type { Turns } from './turns.ts';

/** What belongs to a run: frames and events that name it are its own. */
export interface Belongings {
  /** QP numbers of the peer, and of the DUT */
  peerQps: readonly number[];
  dutQps: readonly number[];
  /** handles at the DUT */
  cqs: readonly number[];
  srqs: readonly number[];
}

/** What a run registers for its own frames and events. */
export interface RunRoutes {
  fromDut(packet: Packet, time: number): void;
  async(event: AsyncEvent, time: number): void;
  /** an event that a user context without objects received */
  secondContext(event: AsyncEvent, time: number): void;
  /** a completion event of a CQ */
  cqEvent(cq: number, time: number): void;
  /** a rate of a QP, reported by its reaction point */
  rate(record: RateRecord, time: number): void;
  fromPeer(frame: Uint8Array, destQp: number): void;
  /** a frame to the port of RoCEv2 that is no packet */
  malformedFromDut(frame: Uint8Array, time: number): void;
  /** a line that the machine of the device logs */
  logged(text: string, time: number): void;
}

/**
 * Owns the listeners of a bench and shares it among scenarios that run at the same time: frames are sorted by QP
 * numbers, of which every scenario has its own. A frame or event that belongs to none goes to all: it is a fault of the
 * device, and each trace must show it.
 */
export class SharedBench {
  readonly bench: Bench;
  /** absent where packets can neither be sent nor seen */
  readonly wire: Wire | undefined;
  readonly header: TraceHeader;
  readonly stall: StallMeter | undefined;
  readonly turns: Turns | undefined;
  private readonly byPeerQp = new Map<number, RunRoutes>();
  private readonly byDutQp = new Map<number, RunRoutes>();
  private readonly byCq = new Map<number, RunRoutes>();
  private readonly bySrq = new Map<number, RunRoutes>();
  /** numbers and handles at the DUT that runs had which are over */
  private readonly former = { qps: new Set<number>(), cqs: new Set<number>(), srqs: new Set<number>() };
  private nextPeerQp = 0x700001;
  private nic: ReferenceNic | undefined;

  /** `turns`: of a scenario that waits for nothing, and so has the bench to itself. */
  constructor(bench: Bench, turns?: Turns) {
    this.bench = bench;
    this.turns = turns;
    this.wire = bench.wire;
    const { profile, dut } = bench;
    this.header = {
      sight: { packets: 'at-device', verbs: true },
      clock: bench.clock.kind,
      capabilities: profile.capabilities,
      dut: { addresses: [dut.ipv4, dut.ipv6].filter((a) => a !== undefined) },
      limits: {
        maxDestRdAtomic: profile.limits.maxDestRdAtomic,
        minTimeout: profile.minTimeout ?? 1,
        maxMessageBytes: profile.limits.maxMessageBytes,
      },
      timing: {
        responseTime: profile.responseTime,
        jitter: profile.wireJitter ?? 0,
      },
      ...(profile.congestion !== undefined && { congestion: profile.congestion }),
      ...(profile.outOfOrder !== undefined && { outOfOrder: profile.outOfOrder }),
    };
    this.stall = bench.clock.kind === 'real' ? new StallMeter(bench.clock, bench.echo) : undefined;
    this.wire?.onFrame((frame, time) => {
      this.frameFromDut(frame, time);
    });
    bench.onRate?.((record, time) => {
      this.byDutQp.get(record.qp_num)?.rate(record, time);
    });
    bench.onLog?.((text, time) => {
      // nothing in it says whose it is
      for (const run of new Set(this.byDutQp.values())) run.logged(text, time);
    });
    bench.verbs.onCqEvent((cq, time) => {
      this.byCq.get(cq)?.cqEvent(cq, time);
    });
    const copies = new EventCopies<RunRoutes>(profile);
    bench.verbs.onAsyncEvent((event, time) => {
      for (const run of copies.come('first', event, time, this.concerned(event))) run.async(event, time);
    });
    bench.verbs.onSecondContextEvent?.((event, time) => {
      for (const run of copies.come('second', event, time, this.concerned(event)))
        run.secondContext(event, time);
    });
  }

  /** Runs that an event is for: all of them where it names no object, or one that the device has never had. */
  private concerned({ qp_num, cq, srq }: AsyncEvent): Iterable<RunRoutes> {
    if (qp_num === undefined && cq === undefined && srq === undefined) return new Set(this.byDutQp.values());
    const owner =
      (qp_num === undefined ? undefined : this.byDutQp.get(qp_num)) ??
      (cq === undefined ? undefined : this.byCq.get(cq)) ??
      (srq === undefined ? undefined : this.bySrq.get(srq));
    if (owner !== undefined) return [owner];
    // it may be late, and of a run that is over
    const over =
      (qp_num !== undefined && this.former.qps.has(qp_num)) ||
      (cq !== undefined && this.former.cqs.has(cq)) ||
      (srq !== undefined && this.former.srqs.has(srq));
    return over ? [] : new Set(this.byDutQp.values());
  }

  /** A QP number for a peer made of crafted packets; a live peer's numbers are far below. */
  craftedPeerQp(): number {
    const qp = this.nextPeerQp;
    this.nextPeerQp = qp >= 0x7ffff0 ? 0x700001 : qp + 1;
    return qp;
  }

  /** The reference NIC on the bench's clock, which live scenarios have as peer. */
  peerNic(): ReferenceNic {
    this.nic ??= new ReferenceNic({
      clock: this.bench.clock,
      endpoint: this.bench.peer,
      neighbours: [this.bench.dut],
      // A device without congestion management has a peer without it: it gets no CNP.
      config: { rcm: this.bench.profile.capabilities.includes('rcm') },
      send: (frame: Uint8Array) => {
        const decoded = decode(frame);
        if (decoded.kind !== 'packet') return;
        const { destQp } = decoded.packet;
        this.byDutQp.get(destQp)?.fromPeer(frame, destQp);
      },
    });
    return this.nic;
  }

  route({ peerQps, dutQps, cqs, srqs }: Belongings, run: RunRoutes): void {
    for (const qp of peerQps) this.byPeerQp.set(qp, run);
    for (const qp of dutQps) this.byDutQp.set(qp, run);
    for (const cq of cqs) this.byCq.set(cq, run);
    for (const srq of srqs) this.bySrq.set(srq, run);
  }

  /** What the device has made anew under a number or handle of `run` stays with whom it was made for. */
  unroute({ peerQps, dutQps, cqs, srqs }: Belongings, run: RunRoutes): void {
    const release = (routes: Map<number, RunRoutes>, names: readonly number[]): void => {
      for (const name of names) if (routes.get(name) === run) routes.delete(name);
    };
    release(this.byPeerQp, peerQps);
    release(this.byDutQp, dutQps);
    release(this.byCq, cqs);
    release(this.bySrq, srqs);
    for (const qp of dutQps) this.former.qps.add(qp);
    for (const cq of cqs) this.former.cqs.add(cq);
    for (const srq of srqs) this.former.srqs.add(srq);
  }

  /** Whether a QP number of the DUT is of `run`, and not of one that the device has given it to since. */
  isOf(qpNumber: number, run: RunRoutes): boolean {
    return this.byDutQp.get(qpNumber) === run;
  }

  /** Stops what the session itself runs; the bench stays open. */
  close(): void {
    this.stall?.close();
  }

  private frameFromDut(frame: Uint8Array, time: number): void {
    // nothing of it is missing: one that ends too early left the device like that
    const decoded = decode(frame, frame.length);
    if (decoded.kind !== 'packet') {
      // frames of other protocols count for nothing; a broken packet may belong to any run
      if (decoded.kind === 'malformed')
        for (const run of new Set(this.byPeerQp.values())) run.malformedFromDut(frame, time);
      return;
    }
    const { destQp, deth } = decoded.packet;
    // A datagram to a QP that does not exist belongs to the run of its sender.
    const owner =
      this.byPeerQp.get(destQp) ?? (deth === undefined ? undefined : this.byDutQp.get(deth.srcQp));
    if (owner !== undefined) {
      owner.fromDut(decoded.packet, time);
      return;
    }
    const runs = new Set(this.byPeerQp.values());
    if (runs.size === 1) for (const run of runs) run.fromDut(decoded.packet, time);
  }
}
