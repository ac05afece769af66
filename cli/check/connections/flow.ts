import { decodeSyndrome, leastPathMtu, nakCodes, opcodeByName, opcodes } from '../../../spec/constants.ts';
import type { ConnectionEnd } from '../../../report/connections/shape.ts';
import type { Packet } from '../../../wire/packet.ts';
import { Pace } from './pace.ts';
import { Requests, type Sight } from './requests.ts';

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');
/** Of a response that the capture shows twice, the copy comes within this time, nanoseconds. */
const copySpan = 10e6;

/** 1 for opcodes of packets that are as long as the path MTU. */
const full = Uint8Array.from(opcodes, (info) => (/_(FIRST|MIDDLE)$/.test(info?.operation ?? '') ? 1 : 0));

type Counts = Omit<ConnectionEnd, 'address' | 'qp' | 'missing' | 'goodput' | 'paced'>;

/** Written out, since an object that is put together from others has a shape of its own, which takes more memory than the object. */
export function noCounts(): Counts {
  const again = { 'sequence-nak': 0, 'rnr-nak': 0, unseen: 0, answered: 0, silence: 0 };
  return {
    packets: 0,
    bytes: 0,
    requests: 0,
    responses: 0,
    cnps: 0,
    payload: 0,
    again,
    copies: 0,
    reordered: 0,
    rnrNaks: 0,
    naks: {},
    ce: 0,
    wrongIcrc: 0,
    portChanges: 0,
  };
}

/** What one end of a connection sends to a QP of the other. */
export class Flow {
  service: string;
  /** where it comes from and goes to */
  readonly from: string;
  readonly to: string;
  readonly destQp: number;
  /** the sender's QP, where packets name it */
  readonly srcQp: number | undefined;
  /** the way back, once known */
  peer: Flow | undefined;
  readonly requests = new Requests();
  readonly pace = new Pace();
  first: number;
  last: number;
  mtu = 0;
  readonly counts: Counts;
  #port = -1;
  #reply = { opcode: -1, psn: -1, id: -1, t: -Infinity };

  constructor(packet: Packet, t: number) {
    this.service = packet.info?.service ?? 'reserved opcode';
    this.from = packet.srcIp;
    this.to = packet.dstIp;
    this.destQp = packet.destQp;
    this.srcQp = packet.deth?.srcQp;
    this.first = t;
    this.last = t;
    this.counts = noCounts();
  }

  /** Counts the packet, and says what a request is by the sequence of those before it. */
  take(packet: Packet, bytes: number, t: number): Sight | undefined {
    const { counts } = this;
    const { payload } = counts;
    const sight = this.#count(packet, bytes, t);
    this.pace.sent(t, bytes, counts.payload - payload);
    return sight;
  }

  #count(packet: Packet, bytes: number, t: number): Sight | undefined {
    const { counts } = this;
    counts.packets++;
    counts.bytes += bytes;
    this.last = t;
    // a CNP does not name the service of the QP that it is for
    if (counts.cnps === counts.packets - 1) this.service = packet.info?.service ?? this.service;
    if (packet.ecn === 3) counts.ce++;
    if (!packet.icrcOk) counts.wrongIcrc++;
    switch (packet.info?.kind) {
      case 'cnp':
        counts.cnps++;
        // it goes to the sender of the flow that it slows
        this.peer?.pace.slowed(t);
        return undefined;
      case 'response':
        this.#response(packet, t);
        return undefined;
      case 'request':
        return this.#request(packet, t);
      case undefined:
        return undefined;
    }
  }

  #request(packet: Packet, t: number): Sight | undefined {
    const { counts } = this;
    counts.requests++;
    this.#learn(packet);
    if (packet.srcPort !== this.#port && this.service !== 'UD') {
      if (this.#port >= 0) counts.portChanges++;
      this.#port = packet.srcPort;
    }
    const length = packet.payloadLength;
    if (this.service === 'UD' || !packet.icrcOk) {
      counts.payload += length;
      return undefined;
    }
    const bytes = packet.opcode === readRequest ? (packet.reth?.dmaLen ?? 0) : 0;
    const mtu = this.mtu || this.peer?.mtu || Infinity;
    const count = Math.max(1, Math.ceil(bytes / mtu));
    const slack = mtu === Infinity ? Math.ceil(bytes / leastPathMtu) : 0;
    const sight = this.requests.take({ psn: packet.psn, count, slack, id: packet.ipId ?? -1, t });
    if (sight === 'copy') counts.copies++;
    else if (sight === 'reordered') counts.reordered++;
    else if (sight !== 'first') counts.again[sight]++;
    if (sight === 'first' || sight === 'reordered' || sight === 'unseen') counts.payload += length;
    return sight;
  }

  #response(packet: Packet, t: number): void {
    const { counts } = this;
    const { opcode, psn, aethWord } = packet;
    counts.responses++;
    this.#learn(packet);
    const id = packet.ipId ?? -1;
    const before = this.#reply;
    this.#reply = { opcode, psn, id, t };
    const same = before.opcode === opcode && before.psn === psn && before.id === id;
    if (same && t - before.t < copySpan) {
      counts.copies++;
      return;
    }
    counts.payload += packet.payloadLength;
    // most are ACKs: bits 31:29 are 0
    if (aethWord < 0x20000000) return;
    const { kind, value } = decodeSyndrome(aethWord >>> 24);
    if (kind === 'rnr-nak') counts.rnrNaks++;
    else {
      const name = nakCodes.find(({ code }) => code === value)?.title ?? `reserved code ${value}`;
      counts.naks[name] = (counts.naks[name] ?? 0) + 1;
    }
  }

  #learn({ opcode, payloadLength }: Packet): void {
    if (full[opcode] === 1 && payloadLength > this.mtu) this.mtu = payloadLength;
  }
}
