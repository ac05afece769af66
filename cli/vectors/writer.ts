import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunCase, RunRecord } from '../../suites/runner/record.ts';
import { writePcap } from '../../wire/index.ts';
import { usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { makeFolder } from '../files/make-folder.ts';
import { framesOf, vectorLines } from './lines.ts';
import type { Target } from './target.ts';

/** Writes each case of a run that a bench can play by itself as a vector: lines of JSON, and its frames as pcap. */
export class VectorWriter implements RunRecord {
  readonly #folder: string;
  readonly #target: Target;
  readonly #index: { file: string; pcap: string; property: string }[] = [];
  /** cases that no bench can play from a file */
  #left = 0;

  /** Throws a usage error where the folder cannot be made. */
  constructor(folder: string, directory: string, target: Target) {
    this.#folder = resolve(directory, folder);
    this.#target = target;
    this.#write(() => makeFolder(this.#folder));
  }

  #write(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      throw usageError(cannotWrite(this.#folder, thrown));
    }
  }

  begin(): void {}

  case({ property, scenario, outcome }: RunCase): void {
    const { dut, peer, path, beside } = scenario;
    // what a requester sends, and when, decides what is to be sent to it: a file cannot hold that;
    // a small bench has one QP
    const alone = path === undefined && beside === undefined;
    const playable = dut === 'responder' && peer !== 'same-device' && alone;
    if (!playable || outcome.kind !== 'judged') {
      this.#left++;
      return;
    }
    const name = `${String(this.#index.length + 1).padStart(5, '0')}-${property.replaceAll('/', '-')}`;
    const frames = framesOf(outcome.drive.events).map(({ t, frame }) => ({ time: BigInt(t), data: frame }));
    const entry = { file: `${name}.ndjson`, pcap: `${name}.pcap`, property };
    this.#write(() => {
      writeFileSync(
        join(this.#folder, entry.file),
        [...vectorLines(name, outcome.drive, this.#target)].join(''),
      );
      writeFileSync(join(this.#folder, entry.pcap), writePcap(frames));
    });
    this.#index.push(entry);
  }

  failure(): void {}

  doubt(): void {}

  /** Writes the list of all vectors; how many there are, and how many cases are none. */
  finish(): { written: number; left: number } {
    const list = `${JSON.stringify({ vectors: this.#index }, undefined, 2)}\n`;
    this.#write(() => {
      writeFileSync(join(this.#folder, 'vectors.json'), list);
    });
    return { written: this.#index.length, left: this.#left };
  }
}
