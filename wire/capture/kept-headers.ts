import { putU32, u32, u8 } from '../bytes.ts';
import { decode } from '../decode.ts';
import type { Packet } from '../packet.ts';
import { PacketView } from '../view.ts';

/** Bytes in front of the headers of each: event, time, payload length, length of the headers, whether the ICRC was right. */
const prefix = 22;
const least = 192;
const nothing = new Uint8Array(0);
/** A number as its eight bytes. */
const number = new Float64Array(1);
const numberBytes = new Uint8Array(number.buffer);

/** A packet, and when it was seen. */
export interface KeptPacket {
  readonly packet: Packet;
  readonly event: number;
  readonly t: number;
}

/** The packet without the frame behind its headers and the part of the file that it lies in, to be kept for long; itself, where it has neither. */
export function detached(packet: Packet): Packet {
  return packet instanceof PacketView ? packet.detached() : packet;
}

/**
 * The headers of the newest packets between two addresses, some tens of bytes each: the transport headers alone, as those in front of them are
 * taken to be alike. What is given has neither payload nor ICRC, but says how long the one was and whether the other was right.
 */
export class KeptHeaders {
  readonly #most: number;
  #count = 0;
  #bytes = nothing;
  #from = 0;
  #to = 0;
  /** one of them, for what is in front of the BTH */
  #like: PacketView | undefined;

  /** `most`: packets that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  push({ packet, event, t }: KeptPacket): void {
    const view = viewOf(packet);
    if (view === undefined) return;
    this.#like ??= view.detached();
    if (this.#count === this.#most) this.#dropOldest();
    const length = view.headerLength;
    this.#makeRoom(prefix + length);
    const at = this.#to;
    const bytes = this.#bytes;
    putNumber(bytes, at, event);
    putNumber(bytes, at + 8, t);
    putU32(bytes, at + 16, view.payloadLength);
    bytes[at + 20] = length;
    bytes[at + 21] = view.icrcOk ? 1 : 0;
    view.writeHeaders(bytes, at + prefix);
    this.#to = at + prefix + length;
    this.#count++;
  }

  /** All of them, the oldest first. */
  list(): KeptPacket[] {
    const like = this.#like;
    const found: KeptPacket[] = [];
    if (like === undefined) return found;
    const bytes = this.#bytes;
    for (let at = this.#from; at < this.#to;) {
      const end = at + prefix + u8(bytes, at + 20);
      const packet = like.another(
        bytes.subarray(at + prefix, end),
        u32(bytes, at + 16),
        bytes[at + 21] === 1,
      );
      found.push({ packet, event: numberAt(bytes, at), t: numberAt(bytes, at + 8) });
      at = end;
    }
    return found;
  }

  #dropOldest(): void {
    this.#from += prefix + u8(this.#bytes, this.#from + 20);
    this.#count--;
  }

  #makeRoom(length: number): void {
    const bytes = this.#bytes;
    if (this.#to + length <= bytes.length) return;
    const used = this.#to - this.#from;
    const wanted = Math.ceil(1.25 * (used + length));
    // a fifth of it is free from now on, so that this is rare
    if (wanted <= bytes.length) bytes.copyWithin(0, this.#from, this.#to);
    else {
      this.#bytes = new Uint8Array(Math.max(least, wanted));
      this.#bytes.set(bytes.subarray(this.#from, this.#to));
    }
    this.#from = 0;
    this.#to = used;
  }
}

function viewOf(packet: Packet): PacketView | undefined {
  if (packet instanceof PacketView) return packet;
  const decoded = decode(packet.frame);
  return decoded.kind === 'packet' && decoded.packet instanceof PacketView ? decoded.packet : undefined;
}

function putNumber(bytes: Uint8Array, at: number, value: number): void {
  number[0] = value;
  for (let i = 0; i < 8; i++) bytes[at + i] = numberBytes[i]!;
}

function numberAt(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < 8; i++) numberBytes[i] = bytes[at + i]!;
  return number[0]!;
}
