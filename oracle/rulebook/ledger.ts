import type { Judgement, Violation } from '../trace.ts';
import { leavesChoice, otherwise } from './choices.ts';
import type { ChoiceNode } from './choices.ts';
import type { Rule } from '../rules.ts';
import { inTime } from './moment.ts';
import type { Moment, Found } from './moment.ts';

const mostKept = 1000;
/** Rules that are counted before the counts need more room. */
const rulesAtFirst = 1024;
/** Doubts whose time is noted, for each that is kept: those that repeat the one before are kept once. */
const doubtsNoted = 4;

/** What a ledger holds, as plain data: threads hand it to each other. Rules by their index. */
export interface LedgerPart {
  violations: Found<Violation>[];
  doubts: Found<string>[];
  skipped: Found<{ why: string; times: number }>[];
  counts: [index: number, count: number][];
  choices: [index: number, counts: Map<string, number>][];
  packets: number;
}

/** Collects what judging finds, over all connections of a trace. */
export class Ledger {
  readonly violations: Violation[] = [];
  /** by rule index; numbers without holes, as every packet counts some twenty rules */
  #counts = new Float64Array(rulesAtFirst);
  readonly #rules: Rule[] = [];
  readonly #choices = new Map<Rule, Map<string, number>>();
  readonly notJudged = new Map<string, number>();
  readonly inconclusive: string[] = [];
  packets = 0;
  /** where in the trace it stands that is judged now */
  readonly now: Moment;
  readonly #limit: number;
  /** where violations go that are not certain; `undefined`: they are */
  #tentative: Violation[] | undefined;
  // when each was found, for what other ledgers of the same trace have found between
  readonly #violated: Moment[] = [];
  readonly #skipped = new Map<string, Moment>();
  readonly #doubts: Found<string>[] = [];

  /** `limit`: violations kept with their details; beyond it they are only counted under `notJudged`. */
  constructor(limit = mostKept, now: Moment = { event: 0, place: 0 }) {
    this.#limit = limit;
    this.now = now;
  }

  exercise(rules: readonly Rule[]): void {
    for (const rule of rules) this.#count(rule, 1);
  }

  exerciseOne(rule: Rule, times = 1): void {
    this.#count(rule, times);
  }

  #count(rule: Rule, times: number): void {
    const { index } = rule;
    if (index >= this.#counts.length) this.#counts = withRoomFor(index, this.#counts);
    const before = this.#counts[index] ?? 0;
    if (before === 0) this.#rules.push(rule);
    this.#counts[index] = before + times;
  }

  /** Counts a choice of a device. */
  choice(rule: Rule, what: string, times = 1): void {
    const counts = this.#choices.get(rule) ?? new Map<string, number>();
    this.#choices.set(rule, counts.set(what, (counts.get(what) ?? 0) + times));
  }

  /** Counts the choices noted in a state, and forgets them there. */
  chose(state: { choices: ChoiceNode | undefined }): void {
    for (let node = state.choices; node !== undefined; node = node.previous)
      this.choice(node.rule, node.what);
    state.choices = undefined;
  }

  skip(why: string, times = 1): void {
    const before = this.notJudged.get(why);
    if (before === undefined) this.#skipped.set(why, { ...this.now });
    this.notJudged.set(why, (before ?? 0) + times);
  }

  doubt(why: string): void {
    if (this.#doubts.length < doubtsNoted * this.#limit)
      this.#doubts.push({ what: why, when: { ...this.now } });
    // the two roles of one QP lose sight for one reason
    if (this.inconclusive.at(-1) === why) return;
    if (this.inconclusive.length < this.#limit) this.inconclusive.push(why);
  }

  violate(violation: Violation): void {
    if (this.#tentative !== undefined) this.#tentative.push(violation);
    else if (this.violations.length < this.#limit) {
      this.violations.push(violation);
      this.#violated.push({ ...this.now });
    } else this.skip(furtherOf(violation.rule));
  }

  /** What is recorded from here on belongs to that moment. */
  at({ event, place }: Moment): this {
    this.now.event = event;
    this.now.place = place;
    return this;
  }

  /** What the action finds broken, which is not counted as such. The action may do the same. */
  tentatively(action: () => void): readonly Violation[] {
    const found: Violation[] = [];
    const before = this.#tentative;
    this.#tentative = found;
    try {
      action();
    } finally {
      this.#tentative = before;
    }
    return found;
  }

  /** Takes over what another ledger of the same trace has exercised, where that is more. */
  join(other: Ledger): void {
    for (const rule of other.#rules) {
      const own = this.#counts[rule.index] ?? 0;
      const count = other.#counts[rule.index] ?? 0;
      if (own >= count) continue;
      this.#count(rule, count - own);
      const choices = other.#choices.get(rule);
      if (choices !== undefined) this.#choices.set(rule, choices);
    }
  }

  /** What it holds, as plain data. */
  part(): LedgerPart {
    const found = <T>(what: T, when: Moment): Found<T> => ({ what, when });
    return {
      violations: this.violations.map((one, i) => found(one, this.#violated[i] ?? this.now)),
      doubts: this.#doubts,
      skipped: [...this.notJudged].map(([why, times]) =>
        found({ why, times }, this.#skipped.get(why) ?? this.now),
      ),
      counts: this.#rules.map(({ index }) => [index, this.#counts[index] ?? 0]),
      choices: [...this.#choices].map(([{ index }, counts]) => [index, counts]),
      packets: this.packets,
    };
  }

  /** Takes over what ledgers of other packets of the same trace hold, as if this one had found all of it. */
  gather(parts: readonly LedgerPart[], rules: readonly Rule[]): void {
    const violations = inTime(parts.map((part) => part.violations));
    for (const { what, when } of violations.slice(0, this.#limit)) this.at(when).violate(what);
    const further = violations.slice(this.#limit).map(({ what: { rule }, when }) => ({
      what: { why: furtherOf(rule), times: 1 },
      when,
    }));
    for (const { what, when } of inTime([...parts.map(({ skipped }) => skipped), further]))
      this.at(when).skip(what.why, what.times);
    for (const { what, when } of inTime(parts.map(({ doubts }) => doubts))) this.at(when).doubt(what);
    for (const { counts, choices, packets } of parts) {
      this.packets += packets;
      for (const [index, count] of counts) {
        const rule = rules[index];
        if (rule !== undefined) this.#count(rule, count);
      }
      for (const [index, chosen] of choices) {
        const rule = rules[index];
        if (rule === undefined) continue;
        const own = this.#choices.get(rule) ?? new Map<string, number>();
        for (const [what, count] of chosen) own.set(what, (own.get(what) ?? 0) + count);
        this.#choices.set(rule, own);
      }
    }
  }

  judgement(): Judgement {
    const exercised = new Map<string, number>();
    for (const { id, index } of this.#rules) exercised.set(id, this.#counts[index] ?? 0);
    const { violations, notJudged, inconclusive, packets } = this;
    return { violations, exercised, observed: this.#observed(), notJudged, inconclusive, packets };
  }

  #observed(): Judgement['observed'] {
    const observed: Judgement['observed'] = new Map();
    for (const rule of this.#rules) {
      if (!leavesChoice(rule)) continue;
      const counts = new Map(this.#choices.get(rule));
      const named = [...counts.values()].reduce((sum, n) => sum + n, 0);
      const rest = (this.#counts[rule.index] ?? 0) - named;
      if (rest > 0) counts.set(otherwise(rule), rest);
      observed.set(rule.id, counts);
    }
    return observed;
  }
}

const withRoomFor = (index: number, counts: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  const roomier = new Float64Array(2 * index);
  roomier.set(counts);
  return roomier;
};

const furtherOf = (rule: string): string => `further violations of ${rule}`;
