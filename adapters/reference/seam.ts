import type { MutantId } from './mutant.ts';

/** Who is asked: a device, or a part of one that knows the device's fault. */
export interface Faulty {
  /** the one named fault of a mutant; absent on a sound device */
  readonly fault: MutantId | undefined;
}

type Asked = readonly [Faulty, ...unknown[]];
type Behaviour<A extends Asked, R> = (...args: A) => R;

/** What a sound device does at one point, and what faulty ones do there instead. */
export interface Seam<A extends Asked, R> {
  (...args: A): R;
  readonly sound: Behaviour<A, R>;
  /** by id of the mutant */
  readonly faulty: Map<string, Behaviour<A, R>>;
}

/**
 * Makes a behaviour of the sound device one that a fault may replace; who calls it does not see the difference. The first argument
 * is who is asked. The sound device knows none of its faults: they stand beside it, in `faults.ts` or the folder `faults/`.
 */
export function seam<A extends Asked, R>(sound: Behaviour<A, R>): Seam<A, R> {
  const faulty = new Map<string, Behaviour<A, R>>();
  const ask = (...args: A): R => {
    const { fault } = args[0];
    return (fault === undefined ? sound : (faulty.get(fault) ?? sound))(...args);
  };
  return Object.assign(ask, { sound, faulty });
}

/** By mutant, what it does at a seam, given what a sound device does there and what that is asked. */
export type Faults<A extends Asked, R> = Readonly<
  Partial<Record<MutantId, (sound: Behaviour<A, R>, ...args: A) => R>>
>;

/** What mutants do at a seam, at most one fault for each; gives the ids of the mutants. */
export function faultsAt<A extends Asked, R>(
  { sound, faulty }: Seam<A, R>,
  faults: Faults<A, R>,
): readonly string[] {
  for (const [id, wrong] of Object.entries(faults)) {
    if (faulty.has(id)) throw new Error(`the mutant "${id}" has two faults at one seam`);
    if (wrong !== undefined) faulty.set(id, (...args) => wrong(sound, ...args));
  }
  return Object.keys(faults);
}
