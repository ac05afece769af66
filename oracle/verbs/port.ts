import type { DeviceAttr, EventType, PortAttr } from '../../spec/verbs.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { longestMessage } from './send-fault.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';

const types: Readonly<Record<'up' | 'down', EventType>> = {
  up: 'IBV_EVENT_PORT_ACTIVE',
  down: 'IBV_EVENT_PORT_ERR',
};

/** Judges the events of the DUT's port and what is said of it. */
export class PortJudge {
  readonly #context: VerbsContext;
  #link: 'up' | 'down' | 'open' = 'up';
  /** link changes whose event has not come, oldest first */
  #due: { change: 'up' | 'down'; event: number }[] = [];
  #raised = false;

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  link(up: boolean, { event }: When): void {
    const change = up ? 'up' : 'down';
    if (this.#link === change) return;
    this.#link = change;
    this.#due.push({ change, event });
    if (!up) for (const qp of this.#context.qps.values()) qp.happens('port-error', event);
  }

  raised(type: EventType, when: When): void {
    this.#raised = true;
    const place = this.#due.findIndex(({ change }) => types[change] === type);
    const due = this.#due[place];
    // on a real host others may change the link as well
    const nobody = this.#context.header.clock === 'virtual' ? 'none' : 'open';
    const judged = this.#context.book.ruling(
      'port-event',
      { portChange: due?.change ?? nobody },
      'mustRaise',
    );
    if (due !== undefined) this.#due.splice(place, 1);
    if (judged?.word === 'never')
      this.#context.book.violate(
        judged.rule,
        { ...when, qp: 'port' },
        `no ${type}`,
        `${type} with the link as before`,
      );
  }

  query(attr: PortAttr, when: When): void {
    const portLink = this.#due.length > 0 ? 'open' : this.#link;
    for (const portAttribute of ['state', 'max-msg-sz'] as const) {
      const judged = this.#context.book.ruling('port-query', { portAttribute, portLink }, 'mustPort');
      if (judged === undefined || fits(judged.word, attr)) continue;
      const observed = portAttribute === 'state' ? attr.state : `max_msg_sz ${attr.max_msg_sz}`;
      const expected = portAttribute === 'state' ? `an ${judged.word} port` : '1 MTU to 2^31 bytes';
      this.#context.book.violate(judged.rule, { ...when, qp: 'port' }, expected, observed);
    }
  }

  device({ port_active_event: flag }: DeviceAttr, when: When): void {
    if (!this.#raised || flag === undefined) return;
    for (const rule of this.#context.book.decide('port-flag', { portFlag: flag ? 'set' : 'clear' })) {
      if (ruleWord(rule, 'mustFlag') !== 'set' || flag) continue;
      this.#context.book.violate(
        rule,
        { ...when, qp: 'device' },
        'IBV_DEVICE_PORT_ACTIVE_EVENT set',
        'not set',
      );
    }
  }

  settle(t: number): void {
    if (this.#context.header.clock === 'virtual' && this.#due.length === 0)
      this.#context.book.decide('port-event', { portChange: 'none' });
    for (const { change, event } of this.#due) {
      const judged = this.#context.book.ruling('port-event', { portChange: change }, 'mustRaise');
      if (judged?.word === 'due')
        this.#context.book.violate(judged.rule, { event, t, qp: 'port' }, types[change], 'no event');
    }
    this.#due = [];
  }
}

function fits(word: string, { state, max_msg_sz, active_mtu }: PortAttr): boolean {
  const active = state === 'IBV_PORT_ACTIVE' || state === 'IBV_PORT_ACTIVE_DEFER';
  switch (word) {
    case 'active':
      return active;
    case 'inactive':
      return !active;
    case 'carries-mtu':
      return max_msg_sz >= active_mtu && max_msg_sz <= longestMessage;
    default:
      return true;
  }
}
