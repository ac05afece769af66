import { opcodes } from '../../../spec/constants.ts';
import { encode, type Packet, type PacketFields } from '../../../wire/index.ts';
import type { RateRecord } from '../../../spec/congestion.ts';
import type { AsyncEvent, PortState, Wc } from '../../../spec/verbs.ts';
import type { Clock, Endpoint, Verbs } from '../../adapter.ts';
import { endpointAddress } from './addressing.ts';
import { defaultConfig, type ReferenceConfig } from '../config.ts';
import { ecnOf } from '../congestion/ecn.ts';
import { NotificationPoint } from '../congestion/notification.ts';
import { forgetRate, ReactionPoint } from '../congestion/reaction.ts';
import type { Core } from './core.ts';
import { overrun, type CompletionQueue } from './cq.ts';
import { misnamed } from './event-faults.ts';
import { Memory } from './memory.ts';
import { acceptPath, migReqOf } from '../path-migration/migration.ts';
import type { Destination, Path } from './path.ts';
import type { MutantId } from '../mutant.ts';
import { handleOutOfOrder } from '../ooo/arriving.ts';
import { isOutOfOrder } from '../ooo/qp.ts';
import type { QueuePair } from './qp.ts';
import type { ReceiveQueue } from './receive-queue.ts';
import { flush } from './flush.ts';
import { arriving, withWrongUdpLength } from './frames.ts';
import { handleRequest } from '../rc-responder/responder.ts';
import { receives } from '../rc-responder/receiving.ts';
import { handleResponse } from '../rc-requester/response.ts';
import { changeLink } from './port.ts';
import { bitsOf } from './service.ts';
import { handleDatagram, qkeyFits } from '../unreliable/datagram.ts';
import { handleUnreliable } from '../unreliable/responder.ts';
import { makeVerbs } from '../verbs/verbs.ts';
import { faultyMutants } from '../faults.ts';

export interface ReferenceNicOptions {
  clock: Clock;
  /** the device's own addresses */
  endpoint: Endpoint;
  /** takes every frame that leaves the port */
  send: (frame: Uint8Array) => void;
  config?: Partial<ReferenceConfig>;
  /** MAC addresses by IP known beforehand; others are learned from what arrives, unknown ones are sent to broadcast */
  neighbours?: readonly Endpoint[];
  mutant?: MutantId;
  /** number of the first QP; default 0x11 */
  firstQp?: number;
}

const pkey = 0xffff;

/** A device in process, both roles of RC, UC and UD, on any clock. Frames go in by receive() and out by `send`. */
export class ReferenceNic {
  readonly verbs: Verbs;
  readonly device: Device;

  constructor(options: ReferenceNicOptions) {
    this.device = new Device(options);
    this.verbs = makeVerbs(this.device);
  }

  /** A frame that arrives at the port; it is processed in a later clock event, never within this call. */
  receive(frame: Uint8Array): void {
    this.device.receive(frame);
  }

  /** Is told what the reaction point does to the rate of each QP. */
  onRate(listener: (record: RateRecord, time: number) => void): void {
    if (this.device.reaction !== undefined) this.device.reaction.listener = listener;
  }

  /** Takes the link of the port down or up. */
  setLink(up: boolean): void {
    this.device.setLink(up);
  }
}

/** What create_ah made: a path, of a PD. */
export interface AddressHandle {
  readonly pd: number;
  readonly path: Path;
}

/** State and plumbing of a ReferenceNic: what the verbs and the two roles share. */
export class Device implements Core {
  /** mutants whose faults stand at seams */
  static readonly faulty = faultyMutants;
  readonly clock: Clock;
  readonly config: ReferenceConfig;
  readonly memory: Memory;
  readonly fault: MutantId | undefined;
  readonly endpoint: Endpoint;
  readonly pds = new Set<number>();
  readonly cqs = new Map<number, CompletionQueue>();
  readonly srqs = new Map<number, ReceiveQueue>();
  readonly ahs = new Map<number, AddressHandle>();
  readonly qps = new Map<number, QueuePair>();
  readonly qpByNumber = new Map<number, QueuePair>();
  portState: PortState = 'IBV_PORT_ACTIVE';
  nextHandle = 1;
  nextQp: number;
  cqListener: ((cq: number, time: number) => void) | undefined;
  eventListener: ((event: AsyncEvent, time: number) => void) | undefined;
  readonly #send: (frame: Uint8Array) => void;
  readonly #ip: Record<4 | 6, string | undefined>;
  readonly #macs = new Map<string, string>();
  arrival = 0;
  readonly #notification: NotificationPoint | undefined;
  readonly reaction: ReactionPoint | undefined;
  readonly #arrived: { frame: Uint8Array; time: number }[] = [];
  readonly #processNext: () => void;

  constructor(options: ReferenceNicOptions) {
    this.clock = options.clock;
    this.config = { ...defaultConfig, ...options.config };
    this.fault = options.mutant;
    this.memory = new Memory(options.mutant);
    const { rcm, congestion } = this.config;
    this.#notification = rcm ? new NotificationPoint(this, congestion) : undefined;
    this.reaction = rcm ? new ReactionPoint(this, congestion) : undefined;
    this.endpoint = options.endpoint;
    this.nextQp = options.firstQp ?? 0x11;
    this.#send = options.send;
    this.#ip = { 4: endpointAddress(options.endpoint, 4), 6: endpointAddress(options.endpoint, 6) };
    for (const neighbour of options.neighbours ?? []) {
      for (const version of [4, 6] as const) {
        const ip = endpointAddress(neighbour, version);
        if (ip !== undefined) this.#macs.set(ip, neighbour.mac);
      }
    }
    this.#processNext = () => {
      const next = this.#arrived.shift();
      if (next === undefined) return;
      this.arrival = next.time;
      this.#process(next.frame);
    };
  }

  receive(frame: Uint8Array): void {
    if (this.portState !== 'IBV_PORT_ACTIVE') return;
    this.#arrived.push({ frame, time: this.clock.now() });
    // Timers of a real clock are coarse; answers need only be outside this call.
    if (this.clock.kind === 'real') setImmediate(this.#processNext);
    else this.clock.setTimer(this.config.processingDelay, this.#processNext);
  }

  catchUp(): void {
    while (this.#arrived.length > 0) this.#processNext();
  }

  #process(frame: Uint8Array): void {
    const packet = arriving(frame, this.fault);
    if (packet === undefined) {
      if (this.fault === 'cnp-for-foreign') this.#notifyForeign(frame);
      return;
    }
    if (packet.info?.kind === 'cnp') {
      this.#heed(packet);
      return;
    }
    const qp = this.#admit(packet);
    if (qp === undefined) {
      if (this.fault !== undefined)
        this.#notification?.dropped(packet, this.qpByNumber.get(packet.destQp), this.#anyQp());
      return;
    }
    this.#macs.set(packet.srcIp, packet.srcMac);
    this.#notification?.arrived(qp, packet);
    this.reaction?.passed(qp, packet);
    if (this.fault === 'ce-packet-dropped' && packet.ecn === 3) return;
    switch (qp.service) {
      case 'RC':
        if (isOutOfOrder(qp)) handleOutOfOrder(this, qp, packet);
        else if (packet.info?.kind === 'response') handleResponse(this, qp, packet);
        else handleRequest(this, qp, packet);
        return;
      case 'UC':
        handleUnreliable(this, qp, packet);
        return;
      case 'UD':
        handleDatagram(this, qp, packet);
        return;
    }
  }

  /** A CNP: it concerns the rate of the QP that it names, and nothing else. */
  #heed(packet: Packet): void {
    const { fault } = this;
    if (packet.dstIp !== this.#ip[packet.ipVersion] || packet.tver !== 0) return;
    if ((packet.pkey & 0x7fff) !== (pkey & 0x7fff)) return;
    const named = this.qpByNumber.get(packet.destQp);
    if (named !== undefined && !receives(this, named)) return;
    this.reaction?.arrived(packet, named, this.#anyQp());
    if (fault === 'cnp-answers-cnp' && named !== undefined) this.#notification?.arrived(named, packet);
  }

  /** The fault of a device that takes what is no RoCEv2 packet for one as far as congestion goes. */
  #notifyForeign(frame: Uint8Array): void {
    const packet = arriving(frame, 'udp-header-unchecked');
    const qp = packet === undefined ? undefined : this.qpByNumber.get(packet.destQp);
    if (packet !== undefined && qp !== undefined) this.#notification?.arrived(qp, packet);
  }

  #anyQp(): QueuePair | undefined {
    return this.qpByNumber.values().next().value;
  }

  /** The QP that a packet is for; `undefined` where it is dropped silently. */
  #admit(packet: Packet): QueuePair | undefined {
    const { fault } = this;
    const answers = packet.info?.kind === 'response';
    const lax = fault === 'icrc-unchecked' || (fault === 'response-icrc-unchecked' && answers);
    const ooo = fault === 'ooo-icrc-unchecked' && packet.info?.service === 'ORC';
    if (!packet.icrcOk && !lax && !ooo) return undefined;
    if (packet.dstIp !== this.#ip[packet.ipVersion]) return undefined;
    if (packet.tver !== 0 && fault !== 'transport-version-unchecked') return undefined;
    const anyQp = fault === 'unknown-qp-accepted' ? this.#anyQp() : undefined;
    const qp = this.qpByNumber.get(packet.destQp) ?? anyQp;
    if (qp === undefined) return undefined;
    if (packet.opcode >> 5 !== bitsOf(qp)) {
      if (fault !== 'service-unchecked' || packet.info?.kind !== 'request') return undefined;
    }
    if (!receives(this, qp)) return undefined;
    // Two limited members may not talk; ours is a full one, so that the key's lower bits decide.
    if ((packet.pkey & 0x7fff) !== (pkey & 0x7fff) && fault !== 'pkey-unchecked') return undefined;
    if (fault === 'reserved-bits-checked' && (packet.resv6 !== 0 || packet.resv7 !== 0)) return undefined;
    // A datagram may come from anywhere, but has to know the Q_Key.
    const accepted = qp.service === 'UD' ? qkeyFits(this, qp, packet) : acceptPath(this, qp, packet);
    return accepted ? qp : undefined;
  }

  transmit(qp: QueuePair, fields: Omit<PacketFields, 'destQp'>, to: Destination = qp): void {
    const { remote } = to;
    if (remote === undefined || this.portState !== 'IBV_PORT_ACTIVE') return;
    const srcIp = this.#ip[remote.version];
    if (srcIp === undefined) return;
    const frame = encode({
      srcMac: this.endpoint.mac,
      dstMac: this.#macs.get(remote.ip) ?? 'ff:ff:ff:ff:ff:ff',
      srcIp,
      dstIp: remote.ip,
      trafficClass: this.config.rcm
        ? (remote.trafficClass & ~3) | ecnOf(fields.opcode, this.fault)
        : remote.trafficClass,
      hopLimit: remote.hopLimit,
      flowLabel: remote.flowLabel,
      srcPort: to.srcPort,
      migReq: migReqOf(this, qp),
      pkey,
      ...fields,
      destQp: to.destQp,
    });
    // What the device sends to itself never comes to the wire.
    if (remote.ip === srcIp) this.receive(frame);
    else if (this.fault === 'wrong-udp-length-sent' && fields.aeth !== undefined)
      this.#send(withWrongUdpLength(frame));
    else this.#send(frame);
    if (qp.limiter !== undefined && opcodes[fields.opcode]?.kind === 'request') qp.limiter.left(frame.length);
  }

  /** Link down: nothing comes and nothing leaves; QPs stay as they are. */
  setLink(up: boolean): void {
    changeLink(this, up);
  }

  complete(cq: CompletionQueue, wc: Wc): void {
    if (cq.failed) return;
    if (cq.entries.length >= cq.capacity) {
      overrun(this, cq);
      return;
    }
    cq.entries.push(wc);
    if (!cq.armed) return;
    cq.armed = false;
    this.cqListener?.(cq.handle, this.clock.now());
  }

  raise(event: AsyncEvent): void {
    this.eventListener?.(this.fault === undefined ? event : misnamed(this.fault, event), this.clock.now());
  }

  fail(qp: QueuePair): void {
    if (qp.state === 'IBV_QPS_RESET') return;
    qp.state = 'IBV_QPS_ERR';
    qp.attr.qp_state = 'IBV_QPS_ERR';
    forgetRate(qp);
    flush(this, qp);
  }
}
