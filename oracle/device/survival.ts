import type { Ledger } from '../rulebook/ledger.ts';
import type { TraceEvent } from '../trace.ts';
import { newDevice } from './machine.ts';
import type { DeviceRules } from './machine.ts';
import type { Observer } from './observer.ts';
import type { DeviceStep, DeviceVariables } from './variables.ts';

/** Judges whether the device outlives what it is given. */
export class Survival implements Observer {
  readonly #rules: DeviceRules;
  readonly #ledger: Ledger;
  readonly #device: DeviceVariables;

  constructor(rules: DeviceRules, ledger: Ledger) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#device = newDevice(rules);
  }

  see(event: TraceEvent, index: number): 'shared' {
    switch (event.kind) {
      case 'packet':
      case 'frame':
        if (event.direction !== 'from-dut') this.#step('frameCame');
        break;
      case 'call':
      case 'call-failed':
        this.#step('called');
        break;
      case 'settled':
        if (this.#device.given === 'nothing') break;
        this.#decide(undefined);
        this.#step('rested');
        break;
      case 'gone':
        this.#decide({ event: index, t: event.t, observed: event.reason });
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

  #step(name: DeviceStep): void {
    this.#rules.machine.step(name)({}, this.#device);
  }

  #decide(gone: { event: number; t: number; observed: string } | undefined): void {
    const { machine, survival } = this.#rules;
    const inputs = { gone: gone !== undefined };
    const rules = survival.at(inputs, this.#device);
    this.#ledger.exercise(rules);
    if (gone === undefined) return;
    const broken = rules.find(
      ({ outcomes: [outcome = {}] }) => machine.holds('device')(outcome, inputs, this.#device) === false,
    );
    const expected = 'a device that goes on working';
    if (broken !== undefined) this.#ledger.violate({ rule: broken.id, qp: 'the device', expected, ...gone });
  }
}
