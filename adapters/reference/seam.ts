import type { MutantId } from './mutant.ts';
import type { SoundId, VariantId } from './variant.ts';

/** Who is asked: a device, or a part of one that knows the device's name. */
export interface Varied {
  /** the mutant or sound variant that it is; absent on the reference NIC as it is by default */
  readonly variant: VariantId | undefined;
}

type Behaviour<C extends Varied, A extends readonly unknown[], R> = (asked: C, ...args: A) => R;

/** What the reference NIC does at one point, and what its variants do there instead. */
export interface Seam<C extends Varied, A extends readonly unknown[], R> {
  (asked: C, ...args: A): R;
  readonly sound: Behaviour<C, A, R>;
  /** by id of the variant */
  readonly others: Map<string, Behaviour<C, A, R>>;
}

/**
 * Makes a behaviour of the sound device one that a variant may replace; who calls it does not see the difference. The first argument
 * is who is asked. The sound device knows none of its variants: faults stand beside it, in `faults.ts` or the folder `faults/`, other
 * ways to be sound in the folder `sound/`.
 */
export function seam<C extends Varied, A extends readonly unknown[], R>(
  sound: Behaviour<C, A, R>,
): Seam<C, A, R> {
  const others = new Map<string, Behaviour<C, A, R>>();
  // V8 passes rest arguments on without an array where nothing else is done with them.
  const ask = (asked: C, ...args: A): R =>
    asked.variant === undefined
      ? sound(asked, ...args)
      : (others.get(asked.variant) ?? sound)(asked, ...args);
  return Object.assign(ask, { sound, others });
}

/** By variant, what it does at a seam, given what the reference NIC does there and what that is asked. */
type Otherwise<Id extends VariantId, C extends Varied, A extends readonly unknown[], R> = Readonly<
  Partial<Record<Id, (sound: Behaviour<C, A, R>, asked: C, ...args: A) => R>>
>;

function at<C extends Varied, A extends readonly unknown[], R>(
  { sound, others }: Seam<C, A, R>,
  otherwise: Otherwise<VariantId, C, A, R>,
): readonly string[] {
  for (const [id, other] of Object.entries(otherwise)) {
    if (others.has(id)) throw new Error(`the variant "${id}" stands twice at one seam`);
    if (other !== undefined) others.set(id, (asked, ...args) => other(sound, asked, ...args));
  }
  return Object.keys(otherwise);
}

/** What mutants do at a seam, at most one fault for each; gives the ids of the mutants. */
export function faultsAt<C extends Varied, A extends readonly unknown[], R>(
  place: Seam<C, A, R>,
  faults: Otherwise<MutantId, C, A, R>,
): readonly string[] {
  return at(place, faults);
}

/** What sound variants do at a seam; gives their ids. */
export function choicesAt<C extends Varied, A extends readonly unknown[], R>(
  place: Seam<C, A, R>,
  choices: Otherwise<SoundId, C, A, R>,
): readonly string[] {
  return at(place, choices);
}
