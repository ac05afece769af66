import type { Objects } from '../device/objects.ts';
import { seenQp, type Qp } from '../device/qp.ts';
import type { RequestEntry } from '../rc-responder/entry.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import type { ResponderRules } from '../rc-responder/rules.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Branch } from '../rulebook/outcome.ts';

/** Takes packets to QP numbers that the device does not have. */
export class Nobody {
  readonly #rules: ResponderRules;
  readonly #ledger: Ledger;
  readonly #objects: Objects;
  #judge: ResponderJudge | undefined;

  constructor(rules: ResponderRules, ledger: Ledger, objects: Objects) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
  }

  /** A packet to a QP that does not exist: gives what the rules say of it, which holds for every QP. */
  push(entry: RequestEntry): Branch {
    this.#judge ??= new ResponderJudge(this.#qp(), this.#rules, this.#ledger);
    const { branch } = this.#judge.decide(entry);
    this.#judge.push(entry);
    return branch;
  }

  #qp(): Qp {
    const { memory, capabilities } = this.#objects;
    return seenQp(-1, { memory, capabilities, atDevice: true, verbs: true });
  }

  settle(t: number): void {
    this.#judge?.settle(t);
  }

  loseSight(why: string): void {
    this.#judge?.loseSight(why);
  }
}
