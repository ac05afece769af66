import type { Bench, Profile } from '../../adapters/adapter.ts';

/** What became of one check. `note`: sound, but worth knowing; `skipped`: does not concern this device. */
export interface Outcome {
  verdict: 'ok' | 'note' | 'skipped' | 'fail' | 'error';
  says: string;
}

/** One line of the report of `smoke`. */
export interface Checked extends Outcome {
  name: string;
}

/** A device opened to be looked at call by call. */
export interface Subject {
  bench: Bench;
  profile: Profile;
}

/** Something that the device does and no device should. */
export class Wrong extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Wrong';
  }
}

export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Wrong(otherwise);
}
