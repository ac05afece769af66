import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import { deviceBook, newDevice } from './machine.ts';
import type { DeviceBook, DeviceRules } from './machine.ts';
import type { Observer } from './observer.ts';
import type { DeviceStep, DeviceVariables } from './variables.ts';

/** Judges whether the device outlives what it is given. */
export class Survival implements Observer {
  readonly #rules: DeviceRules;
  readonly #book: DeviceBook;
  readonly #device: DeviceVariables;

  constructor(rules: DeviceRules, ledger: Ledger) {
    this.#rules = rules;
    this.#book = deviceBook(rules, ledger);
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
        this.#decide({ event: index, t: event.t, reason: event.reason });
        break;
      case 'completion':
      case 'async':
      case 'second-context':
      case 'link':
      case 'gid':
      case 'memory':
      case 'stall':
      case 'rate':
      case 'cq-event':
      case 'hop':
      case 'gap':
    }
    return 'shared';
  }

  #step(name: DeviceStep): void {
    this.#rules.machine.step(name)({}, this.#device);
  }

  #decide(gone: (When & { reason: string }) | undefined): void {
    const met = { inputs: { gone: gone !== undefined }, variables: this.#device };
    for (const rule of this.#book.broken('device-survival', 'device', met))
      if (gone !== undefined) this.#book.violate(rule, gone, 'a device that goes on working', gone.reason);
  }
}
