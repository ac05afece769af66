import { be, frameOf, joined, packetOf } from './bytes.ts';
import type { Bth, Ip, Taken } from './bytes.ts';

/** Opcodes behind the three bits of the service. */
export const op = {
  sendFirst: 0x00,
  sendMiddle: 0x01,
  sendLast: 0x02,
  sendLastImm: 0x03,
  sendOnly: 0x04,
  sendOnlyImm: 0x05,
  sendOnlyInv: 0x17,
  writeFirst: 0x06,
  writeMiddle: 0x07,
  writeLast: 0x08,
  writeLastImm: 0x09,
  writeOnly: 0x0a,
  writeOnlyImm: 0x0b,
  read: 0x0c,
  readFirst: 0x0d,
  readMiddle: 0x0e,
  readLast: 0x0f,
  readOnly: 0x10,
  acknowledge: 0x11,
  atomicAck: 0x12,
  compareSwap: 0x13,
  fetchAdd: 0x14,
  flush: 0x1c,
  atomicWrite: 0x1d,
} as const;
/** The three bits of the service. */
const serviceBits = { rc: 0x00, uc: 0x20, ud: 0x60, xrc: 0xa0 } as const;
const cnpOpcode = 0x81;
/** Time between two packets, nanoseconds. */
const step = 10_000;

/** AETH syndromes. */
export const syndrome = {
  ack: 0x1f,
  /** 0.64 ms */
  rnr: 0x20 | 12,
  sequence: 0x60,
  invalidRequest: 0x61,
  accessError: 0x62,
  operationalError: 0x63,
} as const;

/** What a packet holds behind its BTH; the headers are in the order of this list. */
interface Parts {
  deth?: { srcQp: number; qkey?: number; reserved?: number };
  /** of a FLUSH */
  feth?: number;
  reth?: readonly [bytes: number, va?: number, rkey?: number];
  atomic?: { add: number; va?: number };
  aeth?: readonly [syndrome: number, msn: number];
  original?: number;
  imm?: number;
  /** R_Key to invalidate */
  ieth?: number;
  /** length of the payload */
  bytes?: number;
  fill?: number;
}

/** What one packet has that others have not. */
export interface Sent extends Omit<Partial<Bth>, 'opcode' | 'psn'>, Parts {
  ip?: Partial<Ip>;
}

function headersOf({ deth, feth, reth, atomic, aeth, original, imm, ieth }: Parts): Uint8Array {
  return joined(
    ...(deth === undefined
      ? []
      : [be([deth.qkey ?? 0x11111111, 4], [deth.reserved ?? 0, 1], [deth.srcQp, 3])]),
    ...(feth === undefined ? [] : [be([feth, 4])]),
    ...(reth === undefined ? [] : [be([reth[1] ?? 0x1000, 8], [reth[2] ?? 7, 4], [reth[0], 4])]),
    ...(atomic === undefined ? [] : [be([atomic.va ?? 0x1000, 8], [7, 4], [atomic.add, 8], [0, 8])]),
    ...(aeth === undefined ? [] : [be([aeth[0], 1], [aeth[1], 3])]),
    ...(original === undefined ? [] : [be([original, 8])]),
    ...(imm === undefined ? [] : [be([imm, 4])]),
    ...(ieth === undefined ? [] : [be([ieth, 4])]),
  );
}

/** Who talks: the addresses of both ends, and their QPs. */
export interface Ends {
  a: string;
  b: string;
  qpA: number;
  qpB: number;
  /** UDP source port of both directions */
  port: number;
}
const usual: Ends = { a: '10.0.0.1', b: '10.0.0.2', qpA: 0x11, qpB: 0x22, port: 49152 };

/** What two hosts say to each other, a packet every 10 us, as a capture between them shows it. A asks, B answers. */
export class Talk {
  readonly taken: Taken[] = [];
  readonly #ends: Ends;
  #t = 0;
  #ids = { a: 0x1000, b: 0x8000 };

  constructor(ends: Partial<Ends> = {}) {
    this.#ends = { ...usual, ...ends };
  }

  /** A request of RC from A to B. */
  ask(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('a', serviceBits.rc | opcode, psn, sent);
  }

  /** A response of RC from B to A. */
  answer(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('b', serviceBits.rc | opcode, psn, sent);
  }

  /** A packet of UC or UD from A to B. */
  uc(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('a', serviceBits.uc | opcode, psn, sent);
  }
  ud(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('a', serviceBits.ud | opcode, psn, { deth: { srcQp: this.#ends.qpA }, ...sent });
  }

  /** A packet of XRC from A to B; its own header is four bytes of the payload. */
  xrc(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('a', serviceBits.xrc | opcode, psn, sent);
  }

  /** A packet of B with any opcode. */
  back(opcode: number, psn: number, sent: Sent = {}): this {
    return this.#say('b', opcode, psn, sent);
  }

  /** A CNP from B to A, or from A to B. */
  cnp(sent: Sent = {}, psn = 0, from: 'a' | 'b' = 'b'): this {
    return this.#say(from, cnpOpcode, psn, { becn: true, bytes: 16, fill: 0, ...sent });
  }

  /** So many CNPs, one every so many nanoseconds. */
  cnps(count: number, apart: number, from: 'a' | 'b' = 'b'): this {
    for (let i = 0; i < count; i++) this.cnp({}, 0, from).pause(apart - step);
    return this;
  }

  /** READs of one response each, of so many bytes, from PSN `first` on; MSNs count from 1. */
  reads(count: number, first = 0, bytes = 16): this {
    for (let psn = first; psn < first + count; psn++)
      this.ask(op.read, psn, { reth: [bytes] }).answer(op.readOnly, psn, {
        aeth: [syndrome.ack, psn + 1],
        bytes,
      });
    return this;
  }

  /** An ATOMIC and its answer. */
  atomic(psn: number, msn: number): this {
    return this.ask(op.fetchAdd, psn, { atomic: { add: 1 } }).answer(op.atomicAck, psn, {
      aeth: [syndrome.ack, msn],
      original: psn,
    });
  }

  ack(psn: number, msn: number, code: number = syndrome.ack): this {
    return this.answer(op.acknowledge, psn, { aeth: [code, msn] });
  }

  /** SENDs of one packet from PSN `first` on, each acknowledged; MSNs count from `msn`. */
  sends(count: number, first = 0, msn = 1): this {
    for (let i = 0; i < count; i++)
      this.ask(op.sendOnly, first + i, { ackReq: true, bytes: 16 }).ack((first + i) & 0xffffff, msn + i);
    return this;
  }

  /** A SEND of two packets, PSN and the one behind it, from which the path MTU of 1024 is known. */
  pair(psn: number, msn: number): this {
    return this.ask(op.sendFirst, psn, { bytes: 1024 })
      .ask(op.sendLast, psn + 1, { bytes: 1024, ackReq: true })
      .ack(psn + 1, msn);
  }

  pause(nanoseconds: number): this {
    this.#t += nanoseconds;
    return this;
  }

  /** The newest packet once more, as a mirror or a network doubles it. */
  doubled(after = 300): this {
    const last = this.taken.at(-1);
    if (last !== undefined) this.taken.push({ ...last, t: last.t + after });
    return this;
  }

  /** A bit of the newest packet changes on the way. */
  damaged(): this {
    const frame = this.taken.at(-1)?.frame;
    if (frame !== undefined) frame[frame.length - 8] = (frame.at(-8) ?? 0) ^ 1;
    return this;
  }

  /** A clock that is no finer has stamped what was said, nanoseconds. */
  coarse(grain: number): this {
    for (const [i, { t, frame }] of this.taken.entries()) this.taken[i] = { t: t - (t % grain), frame };
    return this;
  }

  /** What passes the point of capture is not seen: `talk` goes on, and the capture lacks it. */
  unseen(talk: (hidden: this) => unknown): this {
    const before = this.taken.length;
    talk(this);
    this.taken.length = before;
    return this;
  }

  /** What others say meanwhile. */
  beside(other: Talk): this {
    this.taken.push(...other.taken);
    return this;
  }

  #say(who: 'a' | 'b', opcode: number, psn: number, { ip, bytes = 0, fill = 0x5a, ...sent }: Sent): this {
    const { a, b, qpA, qpB, port: sourcePort } = this.#ends;
    const [from, to, qp] = who === 'a' ? [a, b, qpB] : [b, a, qpA];
    const packet = packetOf(
      { from, to, id: this.#ids[who]++, sourcePort, ...ip },
      { qp, psn: psn & 0xffffff, ...sent, opcode },
      { headers: headersOf(sent), payload: new Uint8Array(bytes).fill(fill) },
    );
    this.taken.push({ t: this.#t, frame: frameOf(packet) });
    return this.pause(step);
  }
}
