import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { RuleSet } from '../rules.ts';
import type { Observer } from '../device/observer.ts';
import type { TraceEvent } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';

export function survivalRules(rules: RuleSet): Lookup {
  return lookupOf(rules, 'device-survival');
}

/** Judges whether the device outlives what it is given. */
export class Survival implements Observer {
  readonly #rules: Lookup;
  readonly #ledger: Ledger;
  #fed: 'frames' | 'calls' | undefined;
  /** what it had been given when it last came to rest, or seemed to */
  #before: 'frames' | 'calls' = 'calls';

  constructor(rules: Lookup, ledger: Ledger) {
    this.#rules = rules;
    this.#ledger = ledger;
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

  #decide(fed: 'frames' | 'calls', gone: { event: number; t: number; reason: string } | undefined): void {
    const rules = this.#rules({ fed });
    this.#ledger.exercise(rules);
    if (gone === undefined) return;
    for (const rule of rules)
      if (outcomeWord(rule.outcomes[0] ?? {}, 'device') === 'works')
        this.#ledger.violate({
          rule: rule.id,
          event: gone.event,
          t: gone.t,
          qp: 'the device',
          expected: 'a device that goes on working',
          observed: gone.reason,
        });
  }
}
