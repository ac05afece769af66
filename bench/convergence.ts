import type { SwitchPlan } from '../spec/congestion.ts';
import { dcqcnProfile } from '../spec/dcqcn.ts';
import type { Experiment, ReactionProfile } from './figure.ts';

/** A flow to the port that all share. */
export interface Contender {
  /** virtual milliseconds after which it begins */
  joins: number;
  /** share of the line rate to which its first CNP sets it; absent: that cuts it like any other */
  firstRate?: number;
}

const paper = dcqcnProfile('paper');

/** The parameters of the paper, made to fit links of 10 Gb/s: its steps of increase are made smaller, though not by as much. */
export const tenGigabit: ReactionProfile = {
  lineRate: 10e9,
  cnp: paper.cnp,
  dcqcn: { ...paper.dcqcn, bytes: 2_500_000, activeIncrease: 20e6, hyperIncrease: 100e6 },
};

/** Marks well before an input is paused, which is when 100 kB of it wait. */
const early: Pick<SwitchPlan['marking'], 'low' | 'high' | 'most'> = { low: 5000, high: 90_000, most: 0.05 };

/**
 * Flows to one port, of the switch that the `near` hosts are at as well; the `far` hosts share one link to it. With flow control
 * alone that link counts as one input like each near host, so that the far ones get the less, the more of them there are.
 */
export function convergence(
  near: readonly Contender[],
  far: readonly Contender[],
  settings: Pick<Experiment, 'control' | 'parameters' | 'measured' | 'spans' | 'mutant'>,
): Experiment {
  const named = (side: string, all: readonly Contender[]): (Contender & { from: string })[] =>
    all.map((contender, i) => ({ ...contender, from: `${side} ${i + 1}` }));
  const nearby = named('near', near);
  const remote = named('far', far);
  return {
    ...settings,
    hosts: [[...nearby.map(({ from }) => from), 'R'], remote.map(({ from }) => from)],
    flows: [...nearby, ...remote].map((contender) => ({ ...contender, to: 'R', offered: 1 })),
    marking: early,
    warmUp: 0,
    watched: 'R',
  };
}

/** Shares with flow control alone: those of the near hosts, and those of the far ones. */
export function withoutControl(near: number, far: number): number[] {
  const input = 1 / (near + 1);
  return [...Array.from({ length: near }, () => input), ...Array.from({ length: far }, () => input / far)];
}
