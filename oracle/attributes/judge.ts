import type { DeviceAttr, QpAttr } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import type { Observer } from '../device/observer.ts';
import { stateName } from '../device/qp-state.ts';
import { serviceOf, type Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { CallSpan, When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { askCall, AttributesEvent, judgeModify, rightsOf, type AttributeBook } from './modify.ts';
import type { AttributeRules } from './tables.ts';
import { AttributesVariables } from './variables.ts';
import type { AttributesInputs } from './variables.ts';

/** Attributes whose queried value is held against the one that was set, with their names in the rules. */
const compared = [
  ['timeout', 'timeout'],
  ['retry_cnt', 'retry-cnt'],
  ['rnr_retry', 'rnr-retry'],
  ['min_rnr_timer', 'min-rnr-timer'],
  ['max_rd_atomic', 'max-rd-atomic'],
  ['max_dest_rd_atomic', 'max-dest-rd-atomic'],
  ['path_mtu', 'path-mtu'],
  ['dest_qp_num', 'dest-qp-num'],
  ['rq_psn', 'rq-psn'],
  ['sq_psn', 'sq-psn'],
  ['port_num', 'port-num'],
  ['pkey_index', 'pkey-index'],
  ['qp_access_flags', 'rights'],
  ['qkey', 'qkey'],
] as const;

/** Attributes that are not judged where an adapter leaves them out; of UC and UD, all are. */
const optional: ReadonlySet<string> = new Set([
  'rq_psn',
  'sq_psn',
  'port_num',
  'pkey_index',
  'qp_access_flags',
  'qkey',
]);
/** Attributes that UC and UD QPs have. */
const ofUnreliable: Readonly<Record<'UC' | 'UD', ReadonlySet<string>>> = {
  UC: new Set(['path_mtu', 'dest_qp_num', 'rq_psn', 'sq_psn', 'port_num', 'pkey_index', 'qp_access_flags']),
  UD: new Set(['sq_psn', 'port_num', 'pkey_index', 'qkey']),
};
function valueOf(attr: QpAttr, key: (typeof compared)[number][0]): number | undefined {
  if (key === 'qp_access_flags') return rightsOf(attr[key]);
  return key === 'qkey' && attr.qkey !== undefined ? attr.qkey >>> 0 : attr[key];
}

/** Those that packets change. */
const moving: ReadonlySet<string> = new Set(['rq_psn', 'sq_psn']);

/**
 * Judges what a device does with the parameters of its QPs: which calls of ibv_modify_qp it takes, of RC, and what it says of
 * the values afterwards. A QP changes its state by itself only after packets or posts, and a query shows it: in between
 * its calls are not judged.
 */
export class QpAttributeJudge implements Observer {
  readonly #rules: AttributeRules;
  readonly #book: AttributeBook;
  readonly #atDevice: boolean;
  readonly #known = new Map<Qp, AttributesVariables>();
  readonly #device: {
    -readonly [Name in keyof AttributesInputs['device']]: AttributesInputs['device'][Name];
  };

  constructor(rules: AttributeRules, ledger: Ledger, { limits, capabilities, sight }: TraceHeader) {
    this.#rules = rules;
    this.#atDevice = sight.packets === 'at-device';
    this.#book = new MachineBook(rules.tables, ledger);
    this.#device = {
      activity: 0,
      minTimeout: limits?.minTimeout ?? 1,
      initiatorDepth: undefined,
      destinationDepth: limits?.maxDestRdAtomic,
      atomics: capabilities?.includes('atomic') === true,
      ackDelay: 0,
    };
  }

  #event(qp?: Qp): AttributesEvent {
    return new AttributesEvent(this.#device, qp && serviceOf(qp));
  }

  see(event: TraceEvent): 'shared' {
    switch (event.kind) {
      case 'packet':
      case 'frame':
      case 'completion':
      case 'gap':
        this.#device.activity++;
        break;
      case 'async':
        if (event.event.event_type !== 'IBV_EVENT_SQ_DRAINED') this.#device.activity++;
        else this.#drained(event.event.qp_num, event.t);
        break;
      case 'settled':
        for (const known of this.#known.values()) this.#rules.machine.step('rested')({}, known);
        break;
      case 'call':
      case 'call-failed':
      case 'memory':
      case 'stall':
      case 'link':
      case 'gid':
      case 'rate':
      case 'cq-event':
      case 'second-context':
      case 'hop':
      case 'gone':
    }
    return 'shared';
  }

  #drained(number: number | undefined, at: number): void {
    const inputs = this.#event();
    inputs.drained = { at };
    for (const [qp, known] of this.#known)
      if (qp.qpNumber === number) this.#rules.machine.step('emptied')(inputs, known);
  }

  created(qp: Qp): void {
    if (serviceOf(qp) === undefined) return;
    const known = new AttributesVariables();
    this.#rules.machine.start(this.#event(qp), known);
    this.#known.set(qp, known);
  }

  destroyed(qp: Qp): void {
    this.#known.delete(qp);
  }

  sendPosted(qp: Qp): void {
    this.#device.activity++;
    const known = this.#known.get(qp);
    if (known !== undefined) this.#rules.machine.step('posted')({}, known);
  }

  localPosted(qp: Qp): void {
    this.sendPosted(qp);
  }

  receivePosted(): void {
    this.#device.activity++;
  }

  sharedPosted(): void {
    this.#device.activity++;
  }

  modified(qp: Qp, { attr }: QpChange, when: When): void {
    const inputs = this.#judge(qp, attr, undefined, { ...when, start: when.t });
    const known = this.#known.get(qp);
    if (known !== undefined && inputs !== undefined) this.#rules.machine.step('modified')(inputs, known);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: CallSpan): void {
    this.#judge(qp, attr, errno, when);
  }

  #judge(qp: Qp, attr: QpAttr, errno: number | undefined, when: CallSpan): AttributesEvent | undefined {
    const known = this.#known.get(qp);
    if (known === undefined) return undefined;
    const inputs = this.#event(qp);
    askCall(inputs, known, { attr, errno, began: when.start });
    if (serviceOf(qp) !== 'RC') return inputs;
    if (this.#rules.machine.flag('sure')(inputs, known))
      judgeModify(this.#book, known, { attr, inputs, errno }, { ...when, qp: qp.name });
    else this.#book.skip('ibv_modify_qp of a QP that may have changed its state by itself');
    return inputs;
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const known = this.#known.get(qp);
    if (known === undefined || attr.qp_state === undefined) return;
    const { machine } = this.#rules;
    const state = stateName(attr.qp_state);
    const service = serviceOf(qp);
    const own = service === 'UC' || service === 'UD' ? ofUnreliable[service] : undefined;
    const inputs = this.#event(qp);
    inputs.queried = { qp_state: state, attribute: 'timeout', value: undefined };
    machine.step('queried')(inputs, known);
    const met = { inputs, variables: known };
    const ofAlternate = machine.flag('ofAlternate');
    for (const [key, attribute] of compared) {
      const value = valueOf(attr, key);
      if (own === undefined ? key === 'qkey' : !own.has(key)) continue;
      if (value === undefined && (own !== undefined || optional.has(key))) continue;
      if (moving.has(key) && !this.#atDevice) continue;
      inputs.queried = { qp_state: state, attribute, value };
      if (ofAlternate(inputs, known)) continue;
      for (const rule of this.#book.broken('qp-query', 'mustReturn', met)) {
        const demand = ruleWord(rule, 'mustReturn');
        const set = `${machine.number('set')(met.inputs, known)}`;
        const most = machine.number('most')(met.inputs, known);
        const wanted =
          demand === 'as-set' ? set : demand === 'not-below' ? `${set} or more` : `of 0..${most}`;
        const observed = `${key} ${value ?? 'is not given'}`;
        this.#book.violate(rule, { ...when, qp: qp.name }, `${key} ${wanted}`, observed);
      }
    }
  }

  deviceQueried(attr: DeviceAttr, when: When): void {
    const { local_ca_ack_delay: delay } = attr;
    Object.assign(this.#device, {
      destinationDepth: attr.max_qp_rd_atom,
      initiatorDepth: attr.max_qp_init_rd_atom,
      ackDelay: delay,
    });
    const variables = new AttributesVariables();
    const met = { inputs: this.#event(), variables, given: { deviceAttribute: 'local-ca-ack-delay' } };
    for (const rule of this.#book.broken('device-query', 'mustReport', met))
      this.#book.violate(rule, when, 'local_ca_ack_delay of 0..31', `local_ca_ack_delay ${delay}`);
  }
}
