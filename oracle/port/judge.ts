import type { AsyncEvent, DeviceAttr, EventType, PortAttr } from '../../spec/verbs.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import { Link } from '../device/objects/link.ts';
import { pkeyText } from '../device/packet/header.ts';
import type { Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { When } from '../spot.ts';
import type { TraceHeader } from '../trace.ts';
import { addressOfGid } from '../../wire/index.ts';
import { PortVariables } from './variables.ts';
import type { PortInputs, PortStep, PortValue } from './variables.ts';

type PortTable =
  | 'port-event'
  | 'port-number'
  | 'port-query'
  | 'port-flag'
  | 'gid-event'
  | 'gid-query'
  | 'pkey-query'
  | 'port-sent'
  | 'manager-event';

export interface PortRules {
  readonly machine: TypedMachine<PortVariables, PortInputs, PortStep, PortValue>;
  readonly tables: MachineTables<PortTable, PortVariables, PortInputs>;
}

/** The machine of the port, and its tables. RangeError if the rules lack one of them. */
export function portRules(rules: RuleSet): PortRules {
  const machine: PortRules['machine'] = machineOf(rules, 'port');
  const names: readonly PortTable[] = [
    'port-event',
    'port-number',
    'port-query',
    'port-sent',
    'port-flag',
    'gid-event',
    'gid-query',
    'pkey-query',
    'manager-event',
  ];
  return { machine, tables: new MachineTables(rules, machine, names, 'verbs-') };
}

type Change = 'up' | 'down';
const types: Readonly<Record<Change, EventType>> = {
  up: 'IBV_EVENT_PORT_ACTIVE',
  down: 'IBV_EVENT_PORT_ERR',
};

/** By the word of a rule. */
const demandedPkeys: ReadonlyMap<string | undefined, string> = new Map([
  ['a-key', 'a P_Key'],
  ['refused', 'an error'],
]);

/** What an event of a subnet manager is about. */
type ManagerEvent = PortInputs['manager']['event'];
const managerEvents: readonly ManagerEvent[] = ['lid', 'manager', 'registration', 'pkey'];

type PortAttribute = PortInputs['port']['attribute'];

function expectedOf(attribute: PortAttribute, rule: Rule): string {
  if (attribute === 'state') return `an ${ruleWord(rule, 'mustPort')} port`;
  return attribute === 'max-msg-sz' ? '1 MTU to 2^31 bytes' : 'pkey_tbl_len of 1 or more';
}

function observedOf(
  attribute: PortAttribute,
  { state, max_msg_sz, pkey_tbl_len }: PortInputs['attr'],
): string {
  if (attribute === 'state') return state;
  return attribute === 'max-msg-sz' ? `max_msg_sz ${max_msg_sz}` : `pkey_tbl_len ${pkey_tbl_len}`;
}

const gidEvent: EventType = 'IBV_EVENT_GID_CHANGE';

/** Judges the events of the DUT's port and what is said of it. */
export class PortJudge implements ObjectListener {
  readonly #rules: PortRules;
  readonly #book: MachineBook<PortTable, PortVariables, PortInputs>;
  readonly #port = new PortVariables();
  /** on a real host others may change the link as well */
  readonly #alone: boolean;
  readonly #link: Link;
  /** link changes whose event has not come, oldest first */
  #pending: { change: Change; event: number }[] = [];

  /** addresses that were given to the port, or taken away */
  readonly #given = new Map<string, boolean>();
  /** event of the newest of these */
  #gidAt = 0;

  constructor(
    rules: PortRules,
    ledger: Ledger,
    capabilities: ReadonlySet<string> | undefined,
    header: Pick<TraceHeader, 'clock' | 'timing'>,
  ) {
    this.#link = new Link(header);
    this.#rules = rules;
    this.#book = new MachineBook(rules.tables, ledger, { qp: 'port', capabilities });
    this.#alone = header.clock === 'virtual';
    rules.machine.start({}, this.#port);
  }

  #met(inputs: Partial<PortInputs>): Met<PortVariables, PortInputs> {
    return { inputs, variables: this.#port };
  }

  #event(pending: Change | undefined, raised: boolean): Met<PortVariables, PortInputs> {
    return this.#met({ change: { pending }, sight: { alone: this.#alone }, event: { raised, port: 0 } });
  }

  /** Whether the link was changed. */
  link(up: boolean, { event }: When): boolean {
    const before = this.#port.link;
    this.#link.up = up;
    this.#rules.machine.step('linkChanged')({ link: { up } }, this.#port);
    if (this.#port.link === before) return false;
    this.#pending.push({ change: this.#port.link, event });
    return true;
  }

  #leaving(some: boolean): Met<PortVariables, PortInputs> {
    return this.#met({ leaving: { unlinked: this.#link.surelyDown, some } });
  }

  /** Something has left the port; `what`: in words. */
  sent(what: () => string, when: When): void {
    for (const rule of this.#book.broken('port-sent', 'mustKeep', this.#leaving(true)))
      this.#book.violate(rule, { ...when, qp: 'port' }, 'nothing, without a link', what());
  }

  /** The port was given an address, or it was taken away. */
  gid({ gid, present }: { gid: string; present: boolean }, { event }: When): void {
    // to give it once more changes nothing
    if (this.#given.get(gid) === present) return;
    this.#gidAt = event;
    this.#given.set(gid, present);
    this.#rules.machine.step('gidSet')({}, this.#port);
  }

  gidsChanged(when: When): void {
    const met = this.#event(undefined, true);
    this.#book.came(
      'gid-event',
      met,
      { ...when, qp: 'port' },
      `no ${gidEvent}`,
      `${gidEvent} with the addresses as before`,
    );
    this.#rules.machine.step('gidsReported')({}, this.#port);
  }

  /** An event came that a subnet manager brings about on InfiniBand. */
  managerReported({ event_type: type }: AsyncEvent, ofManager: ManagerEvent, when: When): void {
    const met = this.#ofManager(ofManager, true);
    this.#book.came('manager-event', met, { ...when, qp: 'port' }, `no ${type}`, type);
  }

  #ofManager(ofManager: ManagerEvent, raised: boolean): Met<PortVariables, PortInputs> {
    return this.#met({
      sight: { alone: this.#alone },
      event: { raised, port: 0 },
      manager: { event: ofManager },
    });
  }

  gidsQueried(gids: readonly string[], when: When): void {
    for (const [gid, present] of this.#given) {
      const met = this.#met({ gid: { present, listed: gids.includes(gid) } });
      const address = addressOfGid(gid);
      for (const rule of this.#book.broken('gid-query', 'mustList', met))
        this.#book.violate(
          rule,
          { ...when, qp: 'port' },
          present ? `${address} at some index` : `${address} at no index`,
          present ? 'at none' : `at index ${gids.indexOf(gid)}`,
        );
    }
  }

  modified(_qp: Qp, { attr }: QpChange): void {
    if (attr.port_num !== undefined)
      this.#rules.machine.step('portSet')({ call: { port: attr.port_num } }, this.#port);
  }

  raised({ event_type: type, port_num: number }: AsyncEvent, when: When): void {
    this.#rules.machine.step('eventRaised')({}, this.#port);
    const place = this.#pending.findIndex(({ change }) => types[change] === type);
    const [found] = place < 0 ? [] : this.#pending.splice(place, 1);
    const met = this.#event(found?.change, true);
    this.#book.came(
      'port-event',
      met,
      { ...when, qp: 'port' },
      `no ${type}`,
      `${type} with the link as before`,
    );
    // that it names a port at all is a rule of events
    if (number === undefined) return;
    const numbered = this.#met({ change: { pending: found?.change }, event: { raised: true, port: number } });
    for (const rule of this.#book.broken('port-number', 'mustNamePort', numbered))
      this.#book.violate(
        rule,
        { ...when, qp: 'port' },
        `${type} of port ${this.#port.used}`,
        `of port ${number}`,
      );
  }

  portQueried(attr: PortAttr, when: When): void {
    const { state, max_msg_sz, active_mtu, pkey_tbl_len } = attr;
    const given = { state, max_msg_sz, active_mtu, pkey_tbl_len: pkey_tbl_len ?? 0 };
    if (pkey_tbl_len !== undefined) this.#rules.machine.step('portQueried')({ attr: given }, this.#port);
    for (const attribute of ['state', 'max-msg-sz', 'pkey-tbl-len'] as const) {
      if (attribute === 'pkey-tbl-len' && pkey_tbl_len === undefined) continue;
      const met = this.#met({ attr: given, port: { attribute }, changes: { pending: this.#pending.length } });
      for (const rule of this.#book.broken('port-query', 'mustPort', met))
        this.#book.violate(rule, when, expectedOf(attribute, rule), observedOf(attribute, given));
    }
  }

  pkeyQueried(index: number, pkey: number | undefined, when: When): void {
    const met = this.#met({ pkey: { index, value: pkey } });
    const byDefault = pkeyText(this.#rules.machine.number('defaultPkey')({}, this.#port));
    for (const rule of this.#book.broken('pkey-query', 'mustGivePkey', met))
      this.#book.violate(
        rule,
        { ...when, qp: 'port' },
        `entry ${index}: ${demandedPkeys.get(ruleWord(rule, 'mustGivePkey')) ?? byDefault}`,
        pkey === undefined ? 'ibv_query_pkey failed' : pkeyText(pkey),
      );
  }

  deviceQueried({ port_active_event: flag }: DeviceAttr, when: When): void {
    if (!this.#port.raises || flag === undefined) return;
    const met = this.#met({ device: { port_active_event: flag } });
    for (const rule of this.#book.broken('port-flag', 'mustFlag', met))
      this.#book.violate(rule, { ...when, qp: 'device' }, 'IBV_DEVICE_PORT_ACTIVE_EVENT set', 'not set');
  }

  settle(t: number): void {
    this.#settleGids(t);
    for (const event of managerEvents) this.#book.decide('manager-event', this.#ofManager(event, false));
    if (this.#link.surelyDown) this.#book.decide('port-sent', this.#leaving(false));
    if (this.#alone && this.#pending.length === 0)
      this.#book.decide('port-event', this.#event(undefined, false));
    for (const { change, event } of this.#pending)
      this.#book.missed('port-event', this.#event(change, false), { event, t, qp: 'port' }, types[change]);
    this.#pending = [];
  }

  #settleGids(t: number): void {
    if (this.#alone || this.#port.gids !== 'same')
      this.#book.missed(
        'gid-event',
        this.#event(undefined, false),
        { event: this.#gidAt, t, qp: 'port' },
        gidEvent,
      );
    this.#rules.machine.step('rested')({}, this.#port);
  }
}
