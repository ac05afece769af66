import { decode } from '../../wire/decode.ts';
import { frameFault } from '../../wire/frame-fault.ts';
import type { Packet } from '../../wire/packet.ts';
import { isReadResponse } from './arrival.ts';
import { CongestionQps } from './qps.ts';
import type { TraceEvent, TraceHeader, Violation } from '../trace.ts';
import { CongestionContext } from './context.ts';
import type { Hold } from './context.ts';
import type { CongestionRules } from './tables.ts';
import { CapturedCongestion, isCnp } from './captured.ts';
import { judgeEcn } from './ecn.ts';
import { HopJudge } from './switch.ts';
import { NotificationJudge } from './notification.ts';
import { RateJudge } from './rate/reaction.ts';
import { SilentRates } from './rate/unreported.ts';
import type { QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp } from '../device/qp.ts';
import type { Stalls } from '../device/stalls.ts';
import type { Claim, Observer } from '../device/observer.ts';
import type { Branch } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { Ledger } from '../rulebook/ledger.ts';

const bitsPerByte = 8;

type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;

/** What this judge has in common with the others of a trace, and what it says to them. */
export interface CongestionSurroundings {
  ledger: Ledger;
  objects: Objects;
  stalls: Stalls;
  /** Of a capture, something is wrong if it shows no frame twice. */
  suspect(violation: Violation): void;
  hold: Hold;
  /** The device sent a CNP, which is kept from the others. */
  left(packet: Packet, when: When): void;
  /** A CNP reached the device; as a packet it comes to this at the QP with the number, or at all where nobody has it. */
  vain(qpNumber: number, branch: Branch, when: When): void;
}

/**
 * Judges congestion control: notification point and reaction point of a device that declares them, and the switch on the path.
 * Looks at every event before the other judges, and keeps CNPs from them.
 */
export class CongestionJudge implements Observer {
  readonly #context: CongestionContext;
  readonly #others: CongestionSurroundings;
  readonly #qps: CongestionQps;
  readonly #notify: NotificationJudge | undefined;
  readonly #rate: RateJudge | undefined;
  readonly #silent: SilentRates | undefined;
  readonly #hop: HopJudge | undefined;
  readonly #captured: CapturedCongestion;

  constructor(header: TraceHeader, tables: CongestionRules, others: CongestionSurroundings) {
    const { ledger, objects, stalls, hold } = others;
    this.#context = new CongestionContext(tables, ledger, header, stalls);
    this.#qps = new CongestionQps(this.#context, objects);
    this.#others = others;
    const seen = header.sight.packets === 'at-device' && header.sight.verbs;
    if (seen && this.#context.has('rcm')) this.#notify = new NotificationJudge(this.#context, this.#qps);
    if (seen && this.#context.has('dcqcn')) {
      if (this.#context.has('rate-reports')) this.#rate = new RateJudge(this.#context, this.#qps, hold);
      else this.#silent = new SilentRates(this.#context, this.#qps, hold);
    }
    this.#captured = new CapturedCongestion(this.#context, header, (violation) => {
      others.suspect(violation);
    });
    if (header.path !== undefined) this.#hop = new HopJudge(this.#context, header.path);
  }

  /** Takes every event in order; a CNP may be one that nobody else has to look at. */
  see(event: TraceEvent, index: number): Claim {
    if (event.kind === 'hop') this.#hop?.see(event, index);
    else if (this.#active) this.#look(event, index);
    else this.#captured.see(event, index);
    if (event.kind !== 'packet' || !isCnp(event.packet)) return 'shared';
    return this.#keeps(event, index) ? 'mine' : 'shared';
  }

  /** Whether a CNP is kept from the others. A device without RCM takes it for a packet of a service that no QP has. */
  #keeps(event: PacketEvent, index: number): boolean {
    const { header, ledger } = this.#context;
    const { packet, t } = event;
    if (header.dut === undefined) this.#captured.cnp(packet, { event: index, t });
    else if (!this.#towardsDut(event)) {
      if (!this.#active) ledger.skip('CNPs of a device that declares no congestion control');
      this.#others.left(packet, { event: index, t });
    } else if (this.#active) this.#consumed(packet, index, t);
    else return false;
    ledger.packets++;
    return true;
  }

  /** A CNP as a packet that reached the device: nothing comes of it at an RC QP. */
  #consumed(packet: Packet, event: number, t: number): void {
    const rules = this.#context.decide('cnp-received', this.#qps.arrived(packet, 'notification').inputs);
    const [rule] = rules;
    if (rule === undefined) return;
    this.#others.vain(packet.destQp, { rules, rule, outcome: rule.outcomes[0] ?? {} }, { event, t });
  }

  /** The device has congestion control that is judged. */
  get #active(): boolean {
    return this.#notify !== undefined || this.#rate !== undefined || this.#silent !== undefined;
  }

  #look(event: TraceEvent, index: number): void {
    this.#rate?.passes(index, event.t);
    switch (event.kind) {
      case 'packet':
        if (this.#towardsDut(event)) return this.#arrived(event.packet, index, event.t);
        return this.#sent(event.packet, index, event.t);
      case 'frame':
        if (event.direction === 'to-dut') this.#frame(event.frame, index, event.t);
        return;
      case 'completion':
        return this.#qps.completion(event.wc);
      case 'async':
        return this.#qps.event(event.event);
      case 'link':
        this.#qps.linkUp = event.up;
        return this.#forget(event.t);
      case 'settled':
        this.#notify?.settle(event.t);
        this.#rate?.settle(event.t);
        return;
      case 'rate':
        return this.#rate?.reported(event.record, index, event.t);
      case 'gap':
        return this.#forget(event.t);
      case 'call':
      case 'call-failed':
      case 'memory':
      case 'stall':
      case 'gone':
      case 'gid':
      case 'cq-event':
      case 'second-context':
      case 'hop':
        return;
    }
  }

  #towardsDut({ direction, packet }: PacketEvent): boolean {
    if (direction !== 'unknown') return direction === 'to-dut';
    return this.#context.header.dut?.addresses.includes(packet.dstIp) === true;
  }

  #frame(frame: Uint8Array, event: number, t: number): void {
    if (frameFault(frame) !== 'oversized') return this.#notify?.frame(frame, event);
    // a port may take it, and then it is a packet like any other
    const decoded = decode(frame);
    if (decoded.kind === 'packet') this.#notify?.arrived(decoded.packet, { event, t, mayBeLost: true });
  }

  #forget(t: number): void {
    this.#notify?.forget(t);
    this.#rate?.forget();
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    this.#rate?.posted(qp, send);
  }

  modified(qp: Qp, { attr }: QpChange): void {
    this.#qps.modified(qp, attr);
    if (!this.#active) return;
    if (!this.#qps.receives(qp)) this.#notify?.forgive(qp);
    if (!this.#qps.sends(qp)) this.#rate?.restart(qp);
  }

  destroyed(qp: Qp): void {
    this.#notify?.forgive(qp);
    this.#rate?.drop(qp);
  }

  #arrived(packet: Packet, event: number, t: number): void {
    this.#notify?.arrived(packet, { event, t });
    if (isCnp(packet)) {
      this.#silent?.arrived(packet, t);
      return this.#rate?.arrived(packet, event, t);
    }
    this.#qps.response(packet, this.#qps.byNumber(packet.destQp));
  }

  #sent(packet: Packet, event: number, t: number): void {
    this.#context.sentBits += packet.frame.length * bitsPerByte;
    if (isCnp(packet)) return this.#notify?.sent(packet, event, t);
    const kind = packet.info?.kind;
    if (kind === 'request') this.#rate?.requested(packet, event, t);
    if (kind === 'request' || isReadResponse(packet)) this.#silent?.sent(packet, t);
    if (kind === 'response') {
      this.#rate?.responded(packet, event, t);
      this.#qps.response(packet, this.#qps.senderOf(packet));
    }
    if (this.#notify !== undefined && kind !== undefined)
      judgeEcn(this.#context, this.#qps, packet, { event, t });
  }

  finish(): void {
    this.#rate?.finish();
    this.#hop?.finish();
  }
}
