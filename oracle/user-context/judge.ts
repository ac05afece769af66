import type { AsyncEvent } from '../../spec/verbs.ts';
import { eventWord } from '../event-word.ts';
import type { Claim, Observer } from '../device/observer.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import type { UserContextRules, UserContextTable } from './machine.ts';
import { UserContextVariables } from './variables.ts';
import type { UserContextInputs } from './variables.ts';

type Context = UserContextInputs['copy']['for'];
const contexts: readonly Context[] = ['first', 'second'];

/** Events of one type that name one port, or none. */
interface Kind {
  readonly type: string;
  readonly port: number | undefined;
  readonly received: UserContextVariables;
  /** the newest one */
  event: number;
}

/**
 * Judges which user context receives which asynchronous event: those of an object its owner alone, the others every one. What a second
 * context receives is judged by nobody else.
 */
export class UserContextJudge implements Observer {
  readonly #machine: UserContextRules['machine'];
  readonly #book: MachineBook<UserContextTable, UserContextVariables, UserContextInputs>;
  readonly #both: boolean;
  #lost = false;
  /** by type and port */
  readonly #kinds = new Map<string, Kind>();

  constructor({ machine, tables }: UserContextRules, ledger: Ledger, words: TraceHeader['capabilities']) {
    this.#machine = machine;
    this.#book = new MachineBook(tables, ledger, { capabilities: words && new Set(words) });
    this.#both = words?.includes('second-context') === true;
  }

  see(event: TraceEvent, index: number): Claim {
    switch (event.kind) {
      case 'async':
        this.#receive('firstReceived', event.event, index);
        break;
      case 'second-context':
        this.#receive('secondReceived', event.event, index);
        this.#decide(event.event, { event: index, t: event.t });
        return 'mine';
      case 'settled':
        for (const kind of this.#kinds.values()) this.#settle(kind, event.t);
        break;
      case 'gap':
        this.#lost = true;
        break;
      case 'packet':
      case 'frame':
      case 'call':
      case 'call-failed':
      case 'completion':
      case 'cq-event':
      case 'link':
      case 'gid':
      case 'memory':
      case 'rate':
      case 'hop':
      case 'stall':
      case 'gone':
    }
    return 'shared';
  }

  #receive(step: 'firstReceived' | 'secondReceived', what: AsyncEvent, index: number): void {
    const { event_type: type, port_num: port } = what;
    const key = `${type} ${port}`;
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      kind = { type, port, received: new UserContextVariables(), event: index };
      this.#machine.start({}, kind.received);
      this.#kinds.set(key, kind);
    }
    this.#machine.step(step)({}, kind.received);
    kind.event = index;
  }

  #met(
    type: string,
    variables: UserContextVariables,
    inputs: Partial<UserContextInputs>,
  ): Met<UserContextVariables, UserContextInputs> {
    return { inputs, variables, given: { asyncEvent: eventWord(type) } };
  }

  /** The second context has received an event. */
  #decide({ event_type: type, qp_num: qp, cq, srq }: AsyncEvent, when: When): void {
    const met = this.#met(type, new UserContextVariables(), { event: { seen: true } });
    const of = Object.entries({ QP: qp, CQ: cq, SRQ: srq }).find(([, value]) => value !== undefined);
    const named = of === undefined ? '' : ` of ${of.join(' ')}`;
    for (const rule of this.#book.broken('context-event', 'admissible', met))
      this.#book.violate(rule, when, `no ${type} in a context that owns no object`, `${type}${named}`);
  }

  #settle({ type, port, received, event }: Kind, t: number): void {
    const { atFirst, atSecond } = received;
    if (atFirst === 0 && atSecond === 0) return;
    const sight = { both: this.#both, lost: this.#lost };
    const book = this.#book;
    if (this.#both && atFirst > 0)
      book.exercise(book.saying('context-event', this.#met(type, received, {}), 'admissible', 'forbidden'));
    for (const context of contexts) {
      const met = this.#met(type, received, { sight, copy: { for: context } });
      const of = port === undefined ? '' : ` of port ${port}`;
      for (const rule of book.broken('context-copy', 'mustRaise', met))
        book.violate(
          rule,
          { event, t },
          `${type}${of} as often in the ${context} user context as in the other`,
          `${atFirst} in the first, ${atSecond} in the second`,
        );
    }
    this.#machine.step('rested')({}, received);
  }
}
