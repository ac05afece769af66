import type { MutantId } from '../../adapters/reference/index.ts';

/** One named fault of the reference NIC (`spec/mutants/`): a device that breaks some rules and is conformant otherwise. */
export interface Mutant {
  readonly id: MutantId;
  /** its file below `spec/mutants/`, without extension, such as `rc-responder/headers` */
  readonly family: string;
  /** what the device does, as a sentence */
  readonly says: string;
  /** the behaviour of a sound device that is broken, in words */
  readonly breaks: string;
  /** ids of the statements that it breaks */
  readonly statements: readonly string[];
  /** must or should rules that it breaks, the one that it was made for first; empty where it is not judged */
  readonly rules: readonly string[];
  /** ids of the properties whose cases show it, where those that aim at its rules seldom do */
  readonly properties?: readonly string[];
  /** why no rule forbids what it does */
  readonly notJudged?: string;
}
