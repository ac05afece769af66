import { decode } from '../../wire/decode.ts';
import { frameFault } from '../../wire/frame-fault.ts';
import type { Packet } from '../../wire/packet.ts';
import { CongestionQps } from './qps.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { CongestionContext } from './context.ts';
import type { CongestionRules } from './context.ts';
import { cnpFaults } from './cnp-format.ts';
import { HopJudge } from './switch.ts';
import { NotificationJudge, ecnWord } from './notification.ts';
import { RateJudge } from './reaction.ts';
import { SilentRates } from './unreported.ts';
import type { Device } from '../device/devices.ts';
import type { Frames } from '../judge/frames.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Requesters } from '../rc-requester/requesters.ts';

type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;

function isCnp({ info }: Packet): boolean {
  return info?.kind === 'cnp';
}

/** What this judge has in common with the others of a trace. */
export interface CongestionSurroundings {
  ledger: Ledger;
  requesters: Requesters;
  device: Device;
  frames: Frames;
}

/**
 * Judges congestion control: notification point and reaction point of a device that declares them, and the switch on the path.
 * Looks at every event before the other judges, and keeps CNPs from them.
 */
export class CongestionJudge {
  readonly #context: CongestionContext;
  readonly #device: Device;
  readonly #frames: Frames;
  readonly #qps = new CongestionQps();
  readonly #notify: NotificationJudge | undefined;
  readonly #rate: RateJudge | undefined;
  readonly #silent: SilentRates | undefined;
  readonly #hop: HopJudge | undefined;

  constructor(
    header: TraceHeader,
    { congestion }: { congestion: CongestionRules },
    { ledger, requesters, device, frames }: CongestionSurroundings,
  ) {
    this.#context = new CongestionContext(congestion, ledger, header, requesters.stalls);
    this.#device = device;
    this.#frames = frames;
    const seen = header.sight.packets === 'at-device' && header.sight.verbs;
    if (seen && this.#context.has('rcm')) this.#notify = new NotificationJudge(this.#context, this.#qps);
    if (seen && this.#context.has('dcqcn')) {
      if (this.#context.has('rate-reports')) this.#rate = new RateJudge(this.#context, this.#qps, requesters);
      else this.#silent = new SilentRates(this.#context, this.#qps, requesters);
    }
    if (header.path !== undefined) this.#hop = new HopJudge(this.#context, header.path);
  }

  /** Takes every event in order; true where it was a CNP that nobody else has to look at. */
  see(event: TraceEvent, index: number): boolean {
    if (event.kind === 'hop') this.#hop?.see(event, index);
    else if (this.#active) this.#look(event, index);
    if (event.kind !== 'packet' || !isCnp(event.packet)) return false;
    return this.#keeps(event, index);
  }

  /** Whether a CNP is kept from the others. A device without RCM takes it for a packet of a service that no QP has. */
  #keeps(event: PacketEvent, index: number): boolean {
    const { header, ledger } = this.#context;
    const { packet, t } = event;
    if (header.dut === undefined) this.#captured(packet, index, t);
    else if (!this.#towardsDut(event)) {
      if (!this.#active) ledger.skip('CNPs of a device that declares no congestion control');
      if (header.sight.packets === 'at-device')
        this.#frames.sent(packet.ipChecksumOk ? 'sound' : 'ip-header', t, index);
    } else if (this.#active) this.#consumed(packet, index, t);
    else return false;
    ledger.packets++;
    return true;
  }

  /** A CNP as a packet that reached the device: nothing comes of it at an RC QP. */
  #consumed(packet: Packet, event: number, t: number): void {
    const qp = this.#device.byNumber.get(packet.destQp);
    const { soundness } = this.#qps.standing(packet);
    const rules = this.#context.decide('cnp-received', { soundness });
    const [rule] = rules;
    if (rule === undefined) return;
    const branch = { rules, rule, outcome: rule.outcomes[0] ?? {} };
    const told = qp === undefined ? this.#device.byHandle.values() : [qp];
    for (const judge of told) judge.push({ kind: 'frame', event, t, branch });
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
      case 'call':
        return this.#call(event);
      case 'completion':
        return this.#qps.completion(event.wc);
      case 'async':
        return this.#qps.event(event.event);
      case 'link':
        this.#qps.linkUp = event.up;
        return this.#forget();
      case 'settled':
        this.#notify?.settle(event.t);
        this.#rate?.settle(event.t);
        return;
      case 'rate':
        return this.#rate?.told(event.record, index, event.t);
      case 'gap':
        return this.#forget();
      case 'call-failed':
      case 'memory':
      case 'stall':
      case 'gone':
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

  #forget(): void {
    this.#notify?.forget();
    this.#rate?.forget();
  }

  #call(call: Extract<TraceEvent, { kind: 'call' }>): void {
    if (call.call === 'post_send') return this.#rate?.posted(call.qp, call.wr, call.t);
    const qp = this.#qps.call(call);
    if (qp === undefined || call.call !== 'modify_qp') return;
    if (!this.#qps.receives(qp)) this.#notify?.forgive(qp);
    if (!this.#qps.sends(qp)) this.#rate?.restart(qp);
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
    if (isCnp(packet)) return this.#notify?.sent(packet, event, t);
    const kind = packet.info?.kind;
    if (kind === 'request') {
      this.#rate?.sent(packet, event, t);
      this.#silent?.sent(packet, t);
    }
    if (kind === 'response') this.#qps.response(packet, this.#qps.senderOf(packet));
    if (this.#notify !== undefined && kind !== undefined) this.#judgeEcn(packet, event, t);
  }

  #judgeEcn(packet: Packet, event: number, t: number): void {
    const { info, ecn } = packet;
    const read = info?.operation.startsWith('RDMA_READ_RESPONSE') === true;
    const sentKind = info?.kind === 'request' ? 'request' : read ? 'read-response' : 'acknowledgement';
    const { rule, word } = this.#context.word('ecn-sent', { sentKind }, 'mustEcn');
    const wrong = (word === 'ect0' && ecn !== 2) || (word === 'not-ce' && ecn === 3);
    if (!wrong) return;
    const qp = this.#qps.senderOf(packet)?.name ?? 'the device';
    const expected = word === 'ect0' ? 'ECT(0)' : 'no CE';
    this.#context.violate(rule, { event, t, qp }, expected, `ECN ${ecnWord(ecn)}`);
  }

  /** A CNP in a capture, where nobody knows what it tells of. */
  #captured(cnp: Packet, event: number, t: number): void {
    const qp = `qp 0x${cnp.destQp.toString(16).padStart(6, '0')}`;
    for (const { rule, expected, observed } of cnpFaults(this.#context, cnp, [], undefined))
      this.#context.violate(rule, { event, t, qp }, expected, observed);
  }

  finish(): void {
    this.#hop?.finish();
  }
}
