import type { Rule } from '../../../oracle/index.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Chooser, Spent } from './chooser.ts';
import { Turns } from './turns.ts';

/**
 * Cases that are begun before what a case came to has a say. As many may run at a time, and the choice is still the same as where
 * they run one by one.
 */
export const lag = 120;
/** Cases that each property gets before news count. */
const sweep = 6;
/** Of so many cases one goes to each property in turn, whatever it has shown. */
const everyTurn = 2;
/** What a rule is worth that no case has exercised yet, against a pair of rules that no case has exercised together. */
const worth = { must: 500, should: 150, may: 50 };
/** Cases after which what a property may still show counts half: others have had fewer. */
const patience = 10;
/** Pairs of one case that count: a long case has many, and most are like those before. */
const mostPairs = 20;
/** How much of what counts as recent is of the last case. */
const recently = 0.2;
/** What a case takes besides the events of its trace. */
const fixedCost = 20;

/** What is known of a property. */
interface Standing {
  /** rules that it aims at and that no case has exercised yet */
  open: Map<string, number>;
  given: number;
  judged: number;
  cost: number;
  /** new pairs of a case, the last ones most of all */
  recent: number;
  dropped: boolean;
}

/**
 * Spends the cases of a run where they are most likely to show something new for what they take: rules that are still to be exercised
 * go to the properties that aim at them, and then pairs of rules that no case has exercised together to those that had news of
 * this kind lately. A function of what the cases come to, and not of how many run at a time, up to `lag`.
 */
export class Spending implements Chooser {
  private readonly turns: Turns;
  private readonly standings: Standing[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly pairs: Uint8Array;
  private readonly waiting: Spent[] = [];
  private begun = 0;
  private learned = 0;

  /** `rules`: those that count and that the device can be held to. */
  constructor(properties: readonly SuiteProperty[], rules: readonly Rule[], shard = { i: 1, n: 1 }) {
    this.turns = new Turns(properties, shard);
    this.numbers = new Map(rules.map(({ id }, number) => [id, number]));
    this.pairs = new Uint8Array(rules.length ** 2);
    const levels = new Map(rules.map(({ id, level }) => [id, worth[level]]));
    this.standings = properties.map(({ aims = [] }) => ({
      open: new Map(aims.flatMap((id) => (levels.has(id) ? [[id, levels.get(id) ?? 0]] : []))),
      given: 0,
      judged: 0,
      cost: 0,
      recent: 1,
      dropped: false,
    }));
  }

  next(): number | undefined {
    while (this.learned < this.begun - lag) {
      const spent = this.waiting.shift();
      if (spent === undefined) break;
      this.count(spent);
    }
    const begun = this.begun++;
    const inTurn = begun < sweep * this.turns.round || begun % everyTurn === 0;
    const index = inTurn ? this.turns.next() : this.best();
    const standing = index === undefined ? undefined : this.standings[index];
    if (standing !== undefined) standing.given++;
    return index;
  }

  learn(spent: Spent): void {
    this.waiting.push(spent);
  }

  private best(): number | undefined {
    let best: number | undefined;
    let most = -1;
    for (const [index, standing] of this.standings.entries()) {
      if (standing.dropped) continue;
      const { open, given, judged, cost, recent } = standing;
      let hope = recent;
      for (const value of open.values()) hope += value;
      const value = (hope / (1 + given / patience)) * ((judged + 1) / (cost + fixedCost));
      if (value <= most) continue;
      most = value;
      best = index;
    }
    return best;
  }

  private count(spent: Spent): void {
    const { index, exercised, cost, last } = spent;
    this.learned++;
    this.turns.learn(spent);
    const standing = this.standings[index];
    if (standing === undefined) return;
    standing.judged++;
    standing.cost += cost + fixedCost;
    standing.recent += recently * (Math.min(mostPairs, this.freshPairs(exercised)) - standing.recent);
    if (last) standing.dropped = true;
  }

  /** How many pairs of rules no case before has exercised; a rule that none has is not open any more. */
  private freshPairs(exercised: Iterable<string>): number {
    const size = this.numbers.size;
    const here: number[] = [];
    for (const id of exercised) {
      const number = this.numbers.get(id);
      if (number === undefined) continue;
      here.push(number);
      const own = number * size + number;
      if (this.pairs[own] === 1) continue;
      this.pairs[own] = 1;
      for (const { open } of this.standings) open.delete(id);
    }
    here.sort((a, b) => a - b);
    let fresh = 0;
    for (const [at, less] of here.entries()) {
      for (let i = at + 1; i < here.length; i++) {
        const pair = less * size + (here[i] ?? 0);
        if (this.pairs[pair] === 1) continue;
        this.pairs[pair] = 1;
        fresh++;
      }
    }
    return fresh;
  }
}
