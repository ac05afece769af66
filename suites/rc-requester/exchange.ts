import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { Scenario } from '../scenario.ts';
import type { Job } from './jobs.ts';
import { begun, finish, scenarios, workOf, type Base, type Parts, type Work } from './parts.ts';

/** Work that is posted and sent, and what comes of it. */
export interface Exchange<T> {
  /** what is drawn beside the base */
  draw: { [K in keyof T]: fc.Arbitrary<T[K]> };
  jobs: (drawn: T) => readonly Job[];
  /** its `steps` stand between the sending and the end of everything, which may take `finishUs` longer */
  parts: (work: Work, drawn: T, chosen: Base) => Parts & { finishUs?: number };
}

/** Scenarios that begin with work, all of it posted and sent, and end when all is done. */
export function exchange<T>(profile: Profile, { draw, jobs, parts }: Exchange<T>): fc.Arbitrary<Scenario> {
  return scenarios(profile, fc.record<T>(draw), (chosen, drawn) => {
    const work = workOf(jobs(drawn), chosen.mtu);
    const { steps, finishUs, ...more } = parts(work, drawn, chosen);
    return { ...more, steps: [...begun(profile, work), ...steps, ...finish(profile, finishUs)] };
  });
}
