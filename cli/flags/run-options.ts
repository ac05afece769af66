import { presetNames, type Preset } from '../../suites/runner/budget/presets.ts';
import { usageError } from '../exit-codes.ts';
import { unknownWord } from './nearest.ts';
import type { Arguments } from './parse.ts';

/** One part of a run that is spread over machines: the i-th of n, from 1. */
export interface Shard {
  i: number;
  n: number;
}

/** `--shard i/n`, checked. */
export function shardOf(args: Arguments): Shard | undefined {
  const value = args.text('shard');
  if (value === undefined) return undefined;
  const found = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(value);
  const i = Number(found?.[1]);
  const n = Number(found?.[2]);
  if (found !== null && i <= n) return { i, n };
  throw usageError(`--shard takes i/n with 1 <= i <= n, not "${value}"`);
}

/** `--preset P`, checked. */
export function presetOf(args: Arguments): Preset | undefined {
  const value = args.text('preset');
  if (value === undefined) return undefined;
  const preset = presetNames.find((name) => name === value);
  if (preset === undefined) throw usageError(unknownWord('preset', value, presetNames));
  return preset;
}

const seedLimit = 0xffffffff;

/** A run that nobody seeded is the same every time: what a gate says must not depend on luck. */
const defaultSeed = 1;

/** `--seed N`. */
export function seedOf(args: Arguments): number {
  return args.integer('seed', 0, seedLimit) ?? defaultSeed;
}
