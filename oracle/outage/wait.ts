import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { When } from '../spot.ts';
import { inUnits } from '../time.ts';
import type { OutageRules, OutageTable } from './machine.ts';
import { OutageVariables } from './variables.ts';
import type { OutageInputs } from './variables.ts';

/** An RNR wait: when its NAK came, and how long it has to last. Nanoseconds. */
export interface RnrWait {
  since: number;
  wait: number;
}

/** A wait for the receiver during which the link went down. */
export class WaitWithoutLink {
  readonly #rules: OutageRules;
  readonly #book: MachineBook<OutageTable, OutageVariables, OutageInputs>;
  readonly #variables = new OutageVariables();
  readonly #wait: RnrWait;

  constructor(rules: OutageRules, ledger: Ledger, qp: string, wait: RnrWait) {
    this.#rules = rules;
    this.#book = new MachineBook(rules.tables, ledger, { qp });
    this.#wait = wait;
    rules.machine.start({}, this.#variables);
  }

  link(up: boolean): void {
    this.#rules.machine.step(up ? 'linkUp' : 'linkDown')({}, this.#variables);
  }

  /** The first request packet since. */
  sent(when: When): void {
    const { since, wait } = this.#wait;
    const met = { inputs: { wait: { ran: when.t - since, least: wait } }, variables: this.#variables };
    const rules = this.#book.decide('departure', met);
    this.#book.exercise(this.#book.ask('departure', { by: { outageWait: 'running' } }));
    for (const rule of this.#book.unmet(rules, 'mustSitOut', met))
      this.#book.violate(
        rule,
        when,
        `no request before the ${inUnits(wait)} that the RNR NAK asks for are over`,
        `request ${inUnits(when.t - since)} after the RNR NAK`,
      );
  }
}
