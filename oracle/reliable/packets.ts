import type { Packet } from '../../wire/packet.ts';
import type { Frames } from '../device/frames.ts';
import type { Objects } from '../device/objects.ts';
import { observeReply } from '../device/packet/observed-reply.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import { senderOf } from '../device/packet/sender-of.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import type { Nobody } from './nobody.ts';
import type { ReliablePairs } from './pairs.ts';
import type { Paths } from './paths.ts';

/** Where packets go to. */
interface PacketSurroundings {
  header: TraceHeader;
  ledger: Ledger;
  objects: Objects;
  pairs: ReliablePairs;
  nobody: Nobody;
  frames: Frames;
  paths: Paths;
}

/** Hands each packet of a trace to the role of the RC QP that sent it, or that it is for. */
export class ReliablePackets {
  readonly #around: PacketSurroundings;

  constructor(around: PacketSurroundings) {
    this.#around = around;
  }

  see({ packet, direction }: Extract<TraceEvent, { kind: 'packet' }>, when: When): void {
    const { header, ledger } = this.#around;
    ledger.packets++;
    const { info } = packet;
    if (info !== undefined && info.service !== 'RC' && header.sight.packets === 'mid-path')
      return ledger.skip(`${info.service} packets`);
    const known = header.dut?.addresses.includes(packet.dstIp) === true ? 'to-dut' : 'from-dut';
    if ((direction === 'unknown' ? known : direction) === 'from-dut') this.#sent(packet, when);
    else if (isResponse(packet.opcode)) this.#answered(packet, when);
    else this.#arrived(packet, when);
  }

  /** Something else than a packet of a QP left the device. */
  left(packet: Packet, when: When): void {
    const { objects, frames } = this.#around;
    if (objects.atDevice) frames.sent(packet.ipChecksumOk ? 'sound' : 'ip-header', when);
  }

  /** A response reached the device. */
  #answered(packet: Packet, { event, t }: When): void {
    const { pairs, paths } = this.#around;
    const pair = pairs.byNumber(packet.destQp);
    if (pair === undefined) return;
    pair.responder.passed();
    pair.requester?.push({ kind: 'response', event, t, packet });
    paths.follow(pair, { event, t });
  }

  /** A request reached the device. */
  #arrived(packet: Packet, { event, t }: When): void {
    const { frames, nobody, pairs, paths } = this.#around;
    const pair = pairs.byNumber(packet.destQp);
    const entry = { kind: 'request', event, t, packet } as const;
    // whichever QP answers, it was not meant
    if (pair === undefined) return frames.vain(nobody.push(entry), { event, t });
    paths.request(pair, packet);
    const { failed } = pair.responder;
    pair.responder.push(entry);
    // it may take the QP to its alternate path
    if (!pair.requester?.state.migration.loaded || failed === 'yes') return;
    if (failed === 'perhaps') pair.requester.loseSight('a path that may change while the QP may have failed');
    else pair.requester.push({ kind: 'response', event, t, packet });
  }

  #sent(packet: Packet, when: When): void {
    this.left(packet, when);
    // no work of any QP
    if (packet.info?.kind === 'cnp') return;
    const { ledger, objects, pairs, paths } = this.#around;
    const { event, t } = when;
    if (objects.departedSender(packet) !== undefined) return;
    const seen = observeReply(packet);
    const pair = senderOf(packet, pairs.all);
    if (seen !== undefined) {
      if (pair === undefined) return ledger.skip('responses of unknown QPs');
      paths.reply(pair, packet);
      return pair.responder.push({ kind: 'reply', event, t, seen });
    }
    if (pair?.requester === undefined) ledger.skip('requests of unknown QPs');
    else pair.requester.push({ kind: 'sent', event, t, packet });
    if (pair !== undefined) paths.follow(pair, when);
  }
}
