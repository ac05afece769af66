import type { Note } from '../../../oracle/device/notes.ts';
import type { TraceEvent } from '../../../oracle/trace.ts';
import { headNumbers, type Among, type Batch } from './messages.ts';

const mostFrames = 2048;
const mostBytes = 0x60000;

type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;

/** Puts the frames of one share into batches. */
export class Packer {
  readonly #send: (batch: Batch) => void;
  #heads = new Float64Array(mostFrames * headNumbers);
  #bytes = new Uint8Array(mostBytes);
  #among: Among[] = [];
  #frames = 0;
  #used = 0;

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  packet({ packet: { frame }, t, number }: PacketEvent, event: number): void {
    if (this.#frames === mostFrames || this.#used + frame.length > this.#bytes.length) {
      this.flush();
      if (frame.length > this.#bytes.length) this.#bytes = new Uint8Array(frame.length);
    }
    this.#heads.set([event, t, number, frame.length], this.#frames++ * headNumbers);
    this.#bytes.set(frame, this.#used);
    this.#used += frame.length;
  }

  note(note: Note, event: number, order: number): void {
    this.#among.push({ at: this.#frames, event, note, order });
  }

  gap(gap: string, t: number, event: number): void {
    this.#among.push({ at: this.#frames, event, gap, t });
  }

  /** Sends what there is. */
  flush(): void {
    if (this.#frames === 0 && this.#among.length === 0) return;
    // copies of their own length: they are handed over, and what is kept of them is kept whole
    this.#send({
      heads: this.#heads.slice(0, this.#frames * headNumbers),
      bytes: this.#bytes.slice(0, this.#used),
      among: this.#among,
    });
    this.#among = [];
    this.#frames = 0;
    this.#used = 0;
  }
}
