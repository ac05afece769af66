import type { MutantId } from './mutant.ts';

/** Who is asked: a device, or a part of one that knows the device's fault. */
export interface Faulty {
  /** the one named fault of a mutant; absent on a sound device */
  readonly fault: MutantId | undefined;
}

type Behaviour<C extends Faulty, A extends readonly unknown[], R> = (asked: C, ...args: A) => R;

/** What a sound device does at one point, and what faulty ones do there instead. */
export interface Seam<C extends Faulty, A extends readonly unknown[], R> {
  (asked: C, ...args: A): R;
  readonly sound: Behaviour<C, A, R>;
  /** by id of the mutant */
  readonly faulty: Map<string, Behaviour<C, A, R>>;
}

/**
 * Makes a behaviour of the sound device one that a fault may replace; who calls it does not see the difference. The first argument
 * is who is asked. The sound device knows none of its faults: they stand beside it, in `faults.ts` or the folder `faults/`.
 */
export function seam<C extends Faulty, A extends readonly unknown[], R>(
  sound: Behaviour<C, A, R>,
): Seam<C, A, R> {
  const faulty = new Map<string, Behaviour<C, A, R>>();
  // V8 passes rest arguments on without an array where nothing else is done with them.
  const ask = (asked: C, ...args: A): R =>
    asked.fault === undefined ? sound(asked, ...args) : (faulty.get(asked.fault) ?? sound)(asked, ...args);
  return Object.assign(ask, { sound, faulty });
}

/** By mutant, what it does at a seam, given what a sound device does there and what that is asked. */
export type Faults<C extends Faulty, A extends readonly unknown[], R> = Readonly<
  Partial<Record<MutantId, (sound: Behaviour<C, A, R>, asked: C, ...args: A) => R>>
>;

/** What mutants do at a seam, at most one fault for each; gives the ids of the mutants. */
export function faultsAt<C extends Faulty, A extends readonly unknown[], R>(
  { sound, faulty }: Seam<C, A, R>,
  faults: Faults<C, A, R>,
): readonly string[] {
  for (const [id, wrong] of Object.entries(faults)) {
    if (faulty.has(id)) throw new Error(`the mutant "${id}" has two faults at one seam`);
    if (wrong !== undefined) faulty.set(id, (asked, ...args) => wrong(sound, asked, ...args));
  }
  return Object.keys(faults);
}
