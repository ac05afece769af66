import type { Sge } from '../../spec/verbs.ts';
import { scatter } from '../device/memory.ts';
import type { Memory, Region } from '../device/memory.ts';

const classes = [
  'unnamed',
  'arriving',
  'whole',
  'overtaken',
  'repeated',
  'refused',
  'fetched',
  'unfinished',
  'guarded',
  'open',
] as const;

/** What packets did to a byte, as the table ooo-memory names it; `open`: no rule decides its content. */
export type PlacedClass = (typeof classes)[number];

const classNumber = new Map<PlacedClass, number>(classes.map((name, i) => [name, i]));
const numberOf = (name: PlacedClass): number => classNumber.get(name) ?? 0;
const unnamed = 0;
const overtaken = numberOf('overtaken');
const open = numberOf('open');
const guarded = numberOf('guarded');

interface Marks {
  classes: Uint8Array;
  /** counted PSN of the newest packet that was placed on the byte; -1 for none */
  owner: Float64Array;
  /** of an overtaken byte: what the newer packet brought */
  other: Uint8Array;
}

/** Bytes of a region. */
export interface Span {
  region: Region;
  offset: number;
  length: number;
}

/**
 * What packets did to the memory of a device with out-of-order QPs, byte by byte. Contents go straight into the regions: a
 * responder that places on arrival has one way only.
 */
export class PlacedMemory {
  readonly #marks = new WeakMap<Region, Marks>();

  #of(region: Region): Marks {
    let marks = this.#marks.get(region);
    if (marks === undefined) {
      const { length } = region;
      marks = {
        classes: new Uint8Array(length),
        owner: new Float64Array(length).fill(-1),
        other: new Uint8Array(length),
      };
      this.#marks.set(region, marks);
    }
    return marks;
  }

  /** Whether a packet of an out-of-order QP has named the region. */
  has(region: Region): boolean {
    return this.#marks.has(region);
  }

  /** Places payload; `owner`: counted PSN of the packet; `yields`: what was placed before under a guard stays. */
  place(spans: readonly Span[], payload: Uint8Array, owner: number, name: PlacedClass, yields = false): void {
    let done = 0;
    for (const { region, offset, length } of spans) {
      const marks = this.#of(region);
      for (let i = 0; i < length; i++) {
        const at = offset + i;
        if (yields && marks.classes[at] === guarded && (marks.owner[at] ?? -1) > owner) continue;
        this.#byte(region, marks, at, payload[done + i] ?? 0, owner, name);
      }
      done += length;
    }
  }

  #byte(region: Region, marks: Marks, at: number, value: number, owner: number, name: PlacedClass): void {
    const before = marks.owner[at] ?? -1;
    if (before > owner) {
      if (marks.classes[at] === open) return;
      if (marks.classes[at] !== overtaken) marks.other[at] = region.content[at] ?? 0;
      marks.classes[at] = overtaken;
    } else {
      // what stands on something open is certain again
      marks.classes[at] = numberOf(name);
      marks.owner[at] = owner;
    }
    region.content[at] = value;
  }

  /** Marks bytes that a packet named without changing them; those that something was placed on keep what they hold. */
  mark(spans: readonly Span[], name: PlacedClass): void {
    for (const { region, offset, length } of spans) {
      const marks = this.#of(region);
      for (let at = offset; at < offset + length; at++) {
        const now = marks.classes[at];
        if (now !== overtaken && now !== open && now !== guarded) marks.classes[at] = numberOf(name);
      }
    }
  }

  /** What the request counted `owner` left there follows from what no rule decides. */
  leaveOpen(spans: readonly Span[], owner: number): void {
    for (const { region, offset, length } of spans) {
      const marks = this.#of(region);
      marks.classes.fill(open, offset, offset + length);
      marks.owner.fill(owner, offset, offset + length);
    }
  }

  /** The message whose packets are counted `from .. to` is complete: what they brought counts as whole. */
  complete(spans: readonly Span[], from: number, to: number): void {
    for (const { region, offset, length } of spans) {
      const marks = this.#of(region);
      for (let at = offset; at < offset + length; at++) {
        const owner = marks.owner[at] ?? -1;
        const now = marks.classes[at];
        if (owner >= from && owner <= to && (now === numberOf('arriving') || now === guarded))
          marks.classes[at] = numberOf('whole');
      }
    }
  }

  /** Software has written there: nothing that packets did counts any more. */
  forget(region: Region, offset: number, length: number): void {
    const marks = this.#marks.get(region);
    marks?.classes.fill(unnamed, offset, offset + length);
    marks?.owner.fill(-1, offset, offset + length);
  }

  /** PSNs are counted anew: all that was placed is older than what comes. */
  beginAnew(regions: Iterable<Region>): void {
    for (const region of regions) this.#marks.get(region)?.owner.fill(-1);
  }

  /** Whether no rule decides what a request reads there that is counted `reader`. */
  unsure(region: Region, at: number, reader: number): boolean {
    const marks = this.#marks.get(region);
    if (marks === undefined) return false;
    const name = marks.classes[at] ?? unnamed;
    return name === overtaken || name === open || name === guarded || (marks.owner[at] ?? -1) > reader;
  }

  classAt(region: Region, at: number): PlacedClass {
    return classes[this.#marks.get(region)?.classes[at] ?? unnamed] ?? 'unnamed';
  }

  /** The other content that an overtaken byte may have. */
  otherAt(region: Region, at: number): number {
    return this.#marks.get(region)?.other[at] ?? 0;
  }

  /** Classes that occur in a range. */
  classesIn(region: Region, offset: number, length: number): Set<PlacedClass> {
    const marks = this.#marks.get(region);
    if (marks === undefined) return new Set(['unnamed']);
    return new Set(
      [...new Set(marks.classes.subarray(offset, offset + length))].map((n) => classes[n] ?? 'unnamed'),
    );
  }
}

/** Bytes of a range of a region, as far as it has them. */
export function spanOf(region: Region | undefined, offset: number, length: number): Span[] {
  if (region === undefined || offset < 0 || offset + length > region.length || length === 0) return [];
  return [{ region, offset, length }];
}

/** Bytes of a scatter list. */
export function spansOf(memory: Memory, list: readonly Sge[], from: number, length: number): Span[] {
  return scatter(memory, list, from, length).flatMap((range) =>
    spanOf(range.region, range.offset, range.length),
  );
}

export function overlaps(a: readonly Span[], b: readonly Span[]): boolean {
  return a.some((x) =>
    b.some((y) => x.region === y.region && x.offset < y.offset + y.length && y.offset < x.offset + x.length),
  );
}
