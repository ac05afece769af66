import { CapturedPaths } from '../capture/complete/paths.ts';
import { Roster } from '../capture/roster.ts';
import { ConnectionSetups } from '../capture/setups.ts';
import { senderKey, SenderQueue } from '../capture/sender-queue.ts';
import { Stamps } from '../device/packet/stamps.ts';
import type { Note } from '../device/notes.ts';
import { reservedOf } from '../device/packet/header.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import type { TraceHeader } from '../trace.ts';
import { reversedKey } from '../../wire/address-key.ts';
import type { Packet } from '../../wire/packet.ts';

/** Pairs of addresses whose owner is remembered; those of the others follows from what they are. */
const mostRemembered = 0x10000;

/** Says a share of a capture what it has to know of the others: before it sees the packet, or behind it. */
export type Tell = (note: Note, share: number | 'all', order: number) => void;

/**
 * Divides the packets of a capture into shares that are judged apart, with the same result as by one judge. What two addresses
 * say to each other is one share's, and what a sender of UD says.
 */
export class CaptureShares {
  readonly #shares: number;
  readonly #paths: CapturedPaths | undefined;
  readonly #roster = new Roster();
  readonly #queue = new SenderQueue();
  readonly #stamps = new Stamps();
  readonly #setups = new ConnectionSetups();
  readonly #owners = new Map<string, number>();
  #next = 0;
  /** notes that stand behind the newest packet */
  #after: Note[] = [];

  constructor({ complete }: Pick<TraceHeader, 'complete'>, shares: number) {
    this.#shares = shares;
    this.#paths = complete && new CapturedPaths();
  }

  /** Whose the packet at `t` is, whatever it says; `before` is called with what all have to know first. */
  owner(packet: Packet, t: number, before: Tell): number {
    if (this.#stamps.saw(t)) before({ kind: 'finer', grain: this.#stamps.grain }, 'all', 0);
    const migrated = this.#paths?.saw(packet);
    if (migrated !== undefined)
      before({ kind: 'migrated', ...(migrated !== 'all' && { destQp: migrated }) }, 'all', 0);
    for (const agreed of this.#setups.saw(packet)) before(agreed, this.#ownerOf(agreed.addressKey), 0);
    const { info, addressKey } = packet;
    const service = info?.service;
    const reserved = reservedOf(packet);
    if (service === 'UD' || service === 'UC') this.#sent(packet, service);
    else if (reserved === 'UC' || reserved === 'UD') this.#sent(packet, 'UC');
    else if ((reserved === 'RC' || service === 'RC') && !isResponse(packet.opcode)) this.#asked(packet, t);
    // one judge follows them all: it keeps a number of connections, whatever their addresses are
    if (service === 'ORC') return 0;
    return this.#ownerOf(service === 'UD' ? addressKey.slice(0, addressKey.length / 2) : addressKey);
  }

  /** What is to be known behind the packet whose owner was asked for last. */
  behind(tell: Tell): void {
    if (this.#after.length === 0) return;
    const notes = this.#after;
    this.#after = [];
    for (const [order, note] of notes.entries()) {
      const share = note.kind === 'over' ? this.#ownerOf(note.addressKey) : 'all';
      tell(note, share, order + 1);
    }
  }

  #asked({ addressKey, destQp }: Packet, t: number): void {
    const seat = this.#roster.at(addressKey, destQp);
    if (seat !== undefined) {
      seat.last = t;
      return;
    }
    this.#roster.add(addressKey, destQp, t);
    for (const one of this.#roster.over())
      this.#after.push({ kind: 'over', addressKey: one.addressKey, destQp: one.destQp, t });
  }

  #sent(packet: Packet, service: 'UC' | 'UD'): void {
    // what was damaged on the way names no sender
    const left = packet.icrcOk ? this.#queue.joined(senderKey(packet, service)) : undefined;
    if (left !== undefined) this.#after.push({ kind: 'left', sender: left });
  }

  /** Shares take turns as long as there are few: a hash might give one of them all busy pairs. */
  #ownerOf(key: string): number {
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    const [one, other] = [key, key.length % 8 === 0 ? reversedKey(key) : key].toSorted();
    if (this.#owners.size >= mostRemembered) return hashOf(one ?? key) % this.#shares;
    const owner = this.#next++ % this.#shares;
    for (const name of [one, other]) if (name !== undefined) this.#owners.set(name, owner);
    return owner;
  }
}

function hashOf(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
