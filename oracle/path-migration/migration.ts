import type { Outcome, Rule } from '../rules.ts';
import type { PathMachine } from './machine.ts';
import { PathMigrationVariables } from './variables.ts';

export type PathState = PathMigrationVariables['pathState'];

/** What a packet or call does to the path migration state. */
export interface Move {
  rule: Rule;
  word: 'stays' | 'rearms' | 'arms' | 'migrates' | 'refused';
}

/** Path migration of one QP: the variables of the machine, and what moved it. Never changed, only replaced. */
export class Migration extends PathMigrationVariables {
  readonly machine: PathMachine;
  /** what moved it last, and the state that it came from. Built in: a rule that is to be named. */
  readonly by: { rule: Rule; from: PathState } | undefined;
  /** what kept it where it is since then; a refusal rather than anything else */
  readonly kept: Move | undefined;
  #key: string | undefined;
  #variables: string | undefined;
  #settled: Migration | undefined;

  private constructor(machine: PathMachine, by: Migration['by'], kept: Move | undefined) {
    super();
    this.machine = machine;
    this.by = by;
    this.kept = kept;
  }

  /** In this state a QP begins, in its first life or behind RESET. */
  static first(machine: PathMachine, formerEvents = false): Migration {
    const migration = new Migration(machine, undefined, undefined);
    machine.start({ former: { events: formerEvents } }, migration);
    return migration;
  }

  #with(by: Migration['by'], kept: Move | undefined): Migration {
    const copy = new Migration(this.machine, by, kept);
    this.machine.layout.copy(this, copy);
    return copy;
  }

  get armed(): boolean {
    return this.machine.flag('armed')({}, this);
  }

  /** After what no rule decides: a call that sets paths, or an event. */
  changed(change: (migration: Migration) => void): Migration {
    const after = this.#with(this.by, this.kept);
    change(after);
    return after;
  }

  /** The path migration state after a move. */
  moved(move: Move): Migration {
    const { rule, word } = move;
    if (word !== 'stays' && word !== 'refused') return this.after(rule, { migration: word });
    if (word === 'stays' && (this.kept?.rule === rule || this.kept?.word === 'refused')) return this;
    const after = this.#with(this.by, this.kept?.word === 'refused' ? this.kept : move);
    this.machine.effect('migration')({ migration: word }, {}, after);
    return after;
  }

  /** After an outcome of the rule. */
  after(rule: Rule, outcome: Outcome): Migration {
    const after = this.#with({ rule, from: this.pathState }, undefined);
    this.machine.effect('migration')(outcome, {}, after);
    return after;
  }

  /** The rule that a QP has not obeyed which is in another state than the rules have it. */
  disobeyed(seen: PathState): Rule | undefined {
    const { by, kept } = this;
    return by !== undefined && (seen === by.from || kept === undefined) ? by.rule : kept?.rule;
  }

  /** Part of the keys of states: two that are equal behave alike. */
  get key(): string {
    this.#key ??= `${this.#values} ${this.by?.rule.index ?? ''} ${this.kept?.rule.index ?? ''}`;
    return this.#key;
  }

  /** Equal for two that are in the same state, on the same paths, whatever is left to report. */
  get paths(): string {
    return this.settled.#values;
  }

  /** The same with nothing left to report: one role of the QP keeps that account for both. */
  get settled(): Migration {
    if (this.#settled === undefined) {
      const after = this.changed((migration) => this.machine.step('settled')({}, migration));
      this.#settled = after.#values === this.#values ? this : after;
    }
    return this.#settled;
  }

  /** Behind RESET. */
  get ended(): Migration {
    return Migration.first(this.machine, this.machine.flag('owing')({}, this));
  }

  /** The same once everything has had its time. */
  get rested(): Migration {
    const after = this.changed((migration) => this.machine.step('rested')({}, migration));
    return after.#values === this.#values ? this : after;
  }

  get #values(): string {
    return (this.#variables ??= this.machine.layout.key(this));
  }
}
