import type { Observer } from '../device/observer.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { demanding } from '../rulebook/outcome.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';

type SurvivalTable = 'device-survival';

export function survivalTables(rules: RuleSet): Tables<SurvivalTable> {
  return new Tables(rules, ['device-survival']);
}

/** Judges whether the device outlives what it is given. */
export class Survival implements Observer {
  readonly #book: RuleBook<SurvivalTable>;
  #fed: 'frames' | 'calls' | undefined;
  /** what it had been given when it last came to rest, or seemed to */
  #before: 'frames' | 'calls' = 'calls';

  constructor(tables: Tables<SurvivalTable>, ledger: Ledger) {
    this.#book = new RuleBook(tables, ledger, { qp: 'the device' });
  }

  see(event: TraceEvent, index: number): 'shared' {
    switch (event.kind) {
      case 'packet':
      case 'frame':
        if (event.direction !== 'from-dut') this.#fed = 'frames';
        break;
      case 'call':
      case 'call-failed':
        this.#fed ??= 'calls';
        break;
      case 'settled':
        if (this.#fed === undefined) break;
        this.#decide(this.#fed, undefined);
        this.#before = this.#fed;
        this.#fed = undefined;
        break;
      case 'gone':
        this.#decide(this.#fed ?? this.#before, { event: index, t: event.t, reason: event.reason });
        break;
      case 'completion':
      case 'async':
      case 'link':
      case 'memory':
      case 'stall':
      case 'rate':
      case 'hop':
      case 'gap':
    }
    return 'shared';
  }

  #decide(fed: 'frames' | 'calls', gone: (When & { reason: string }) | undefined): void {
    const rules = this.#book.decide('device-survival', { fed });
    if (gone !== undefined)
      this.#book.violate(
        demanding(rules, 'device', 'works'),
        gone,
        'a device that goes on working',
        gone.reason,
      );
  }
}
