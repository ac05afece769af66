import type { DeviceAttr, QpAttr } from '../../spec/verbs.ts';
import { attributeFacts, transitionName } from './attributes.ts';
import { compared, comparedKeys, wantedValue, type Compared } from './query.ts';
import { valueFacts, type QpLimits } from './values.ts';
import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import type { QpChange } from '../device/listener.ts';
import type { Observer } from '../device/observer.ts';
import { serviceOf, type Qp } from '../device/qp.ts';
import { stateName, type QpStateName } from '../device/qp-state.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';

const EINVAL = 22;

/** The tables of ibv_modify_qp, ibv_query_qp and ibv_query_device. */
export interface ParameterRules {
  transition: Lookup;
  attributes: Lookup;
  values: Lookup;
  query: Lookup;
  device: Lookup;
}

export function parameterRules(rules: RuleSet): ParameterRules {
  return {
    transition: lookupOf(rules, 'qp-modify-transition'),
    attributes: lookupOf(rules, 'qp-modify-attributes'),
    values: lookupOf(rules, 'qp-modify-values'),
    query: lookupOf(rules, 'qp-query'),
    device: lookupOf(rules, 'device-query'),
  };
}

interface Given {
  value: number;
  /** value of the fact `given` */
  as: string;
}

/** What is known of one QP besides what software set. */
interface Known {
  /** as software asked for it, or a query told */
  state: QpStateName;
  /** packets and posts seen when the state was known for sure */
  knownAt: number;
  drained: boolean;
  /** no send WR was posted since it left RESET, so that there is nothing to drain */
  idle: boolean;
  given: Map<Compared, Given>;
  /** timeout of its alternate path, which is the QP's own once it has migrated */
  alternate: number | undefined;
}

/**
 * Judges what a device does with the parameters of its QPs: which calls of ibv_modify_qp it takes, and what it says of
 * the values afterwards. A QP changes its state by itself only after packets or posts, and a query tells of it: in between
 * its calls are not judged.
 */
export class QpAttributeJudge implements Observer {
  readonly #rules: ParameterRules;
  readonly #ledger: Ledger;
  readonly #known = new Map<Qp, Known>();
  readonly #limits: QpLimits;
  #traffic = 0;

  constructor(rules: ParameterRules, ledger: Ledger, header: TraceHeader) {
    this.#rules = rules;
    this.#ledger = ledger;
    const { limits, capabilities } = header;
    this.#limits = {
      destination: limits?.maxDestRdAtomic,
      initiator: undefined,
      minTimeout: limits?.minTimeout ?? 1,
      atomics: capabilities?.includes('atomic'),
    };
  }

  see(event: TraceEvent): 'shared' {
    switch (event.kind) {
      case 'packet':
      case 'frame':
      case 'completion':
      case 'gap':
        this.#traffic++;
        break;
      case 'async':
        if (event.event.event_type !== 'IBV_EVENT_SQ_DRAINED') this.#traffic++;
        else this.#drained(event.event.qp_num);
        break;
      case 'settled':
        for (const known of this.#known.values()) if (known.idle) known.drained = true;
        break;
      case 'call':
      case 'call-failed':
      case 'memory':
      case 'stall':
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
    }
    return 'shared';
  }

  #drained(number: number | undefined): void {
    for (const [qp, known] of this.#known) if (qp.qpNumber === number) known.drained = true;
  }

  created(qp: Qp): void {
    if (serviceOf(qp) !== 'RC') return;
    this.#known.set(qp, {
      state: 'RESET',
      knownAt: this.#traffic,
      drained: true,
      idle: true,
      given: new Map(),
      alternate: undefined,
    });
  }

  destroyed(qp: Qp): void {
    this.#known.delete(qp);
  }

  sendPosted(qp: Qp): void {
    this.#traffic++;
    const known = this.#known.get(qp);
    if (known !== undefined) known.idle = false;
  }

  receivePosted(): void {
    this.#traffic++;
  }

  sharedPosted(): void {
    this.#traffic++;
  }

  modified(qp: Qp, { attr, to }: QpChange, when: When): void {
    this.#modify(qp, attr, to, when, undefined);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: When): void {
    this.#modify(qp, attr, attr.qp_state && stateName(attr.qp_state), when, errno);
  }

  #modify(qp: Qp, attr: QpAttr, to: QpStateName | undefined, when: When, errno: number | undefined): void {
    const known = this.#known.get(qp);
    if (known === undefined) return;
    if (known.knownAt === this.#traffic) this.#judge(qp, known, attr, to ?? known.state, when, errno);
    else this.#ledger.skip('ibv_modify_qp of a QP that may have changed its state by itself');
    if (errno === undefined) this.#apply(known, attr, to);
  }

  #judge(
    { name: qp }: Qp,
    known: Known,
    attr: QpAttr,
    to: QpStateName,
    when: When,
    errno: number | undefined,
  ): void {
    const { state: from } = known;
    const transition = Object.keys(attr).length === 0 ? 'nothing' : transitionName(from, to);
    const named = attr.cur_qp_state === undefined ? undefined : stateName(attr.cur_qp_state);
    const facts = {
      transition,
      namedState: named === undefined ? 'absent' : named === from ? 'right' : 'wrong',
      drain: from !== 'SQD' ? 'none' : known.drained ? 'done' : 'possible',
      ...attributeFacts(transition, attr),
      towardsSqd: transition === 'RTS-SQD' ? 'sqd' : 'other',
      ...valueFacts(attr, this.#limits),
    };
    const rule = this.#decide(facts);
    if (rule === undefined) return;
    const outcome = rule.outcomes[0] ?? {};
    const result = outcomeWord(outcome, 'result');
    if (result === 'either') {
      this.#ledger.choice(rule, errno === undefined ? 'accepted' : 'refused');
      return;
    }
    const right =
      result === 'accepted'
        ? errno === undefined
        : errno !== undefined && (errno === EINVAL || outcomeWord(outcome, 'errno') === 'any');
    if (right) return;
    const what = `ibv_modify_qp in ${from} with ${told(attr)}`;
    this.#ledger.violate({
      rule: rule.id,
      ...when,
      qp,
      expected: `${what} ${result === 'accepted' ? 'succeeds' : 'fails with errno 22 (EINVAL)'}`,
      observed: errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`,
    });
  }

  /** The rule that decides, the tables before it passed; all of them count as exercised. */
  #decide(facts: Readonly<Record<string, string>>): Rule | undefined {
    const { transition, attributes, values } = this.#rules;
    const byTable: Readonly<Record<string, Lookup>> = {
      'qp-modify-attributes': attributes,
      'qp-modify-values': values,
    };
    let table: Lookup | undefined = transition;
    let decided: Rule | undefined;
    while (table !== undefined) {
      const found = table(facts);
      this.#ledger.exercise(found);
      decided = found[0];
      const next: string | undefined = outcomeWord(decided?.outcomes[0] ?? {}, 'next');
      table = next === undefined ? undefined : byTable[next];
    }
    return decided;
  }

  #apply(known: Known, attr: QpAttr, to: QpStateName | undefined): void {
    if (to !== undefined) {
      if (to === 'SQD' && known.state !== 'SQD') known.drained = false;
      known.state = to;
      known.knownAt = this.#traffic;
    }
    if (to === 'RESET') {
      known.given.clear();
      known.idle = true;
      known.alternate = undefined;
    }
    if (attr.alt_ah_attr !== undefined) known.alternate = attr.alt_timeout ?? 0;
    const facts = valueFacts(attr, this.#limits);
    const beyond: Readonly<Record<Compared, boolean>> = {
      timeout: facts['timeoutValue'] === 'beyond',
      retry_cnt: facts['retryCntValue'] === 'beyond',
      rnr_retry: facts['rnrRetryValue'] === 'beyond',
      min_rnr_timer: facts['minRnrTimerValue'] === 'beyond',
      max_rd_atomic: facts['maxRdAtomicValue'] === 'beyond',
      max_dest_rd_atomic: facts['maxDestRdAtomicValue'] === 'beyond',
      path_mtu: false,
      dest_qp_num: facts['otherValue'] === 'beyond',
    };
    for (const key of comparedKeys) {
      const value = attr[key];
      if (value === undefined) continue;
      const raised = key === 'timeout' && value > 0 && value < this.#limits.minTimeout;
      known.given.set(key, { value, as: beyond[key] ? 'beyond' : raised ? 'below-minimum' : 'inside' });
    }
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const known = this.#known.get(qp);
    if (known === undefined || attr.qp_state === undefined) return;
    known.state = stateName(attr.qp_state);
    known.knownAt = this.#traffic;
    const connected = ['INIT', 'RTR', 'RTS', 'SQD'].includes(known.state);
    for (const key of comparedKeys) {
      const value = attr[key];
      const given = known.given.get(key);
      if (key === 'timeout' && value === known.alternate) continue;
      const rules = this.#rules.query({
        attribute: compared[key],
        given: given?.as ?? 'never',
        queriedIn: connected ? 'connected' : 'other',
      });
      this.#ledger.exercise(rules);
      for (const rule of rules) {
        const demand = outcomeWord(rule.outcomes[0] ?? {}, 'mustReturn') ?? 'any';
        const wanted = wantedValue(demand, key, given?.value ?? 0, value);
        if (wanted === undefined) continue;
        this.#ledger.violate({
          rule: rule.id,
          ...when,
          qp: qp.name,
          expected: `${key} ${wanted}`,
          observed: `${key} ${value ?? 'is not given'}`,
        });
      }
    }
  }

  deviceQueried(attr: DeviceAttr, when: When): void {
    this.#limits.destination = attr.max_qp_rd_atom;
    this.#limits.initiator = attr.max_qp_init_rd_atom;
    const rules = this.#rules.device({ deviceAttribute: 'local-ca-ack-delay' });
    this.#ledger.exercise(rules);
    const { local_ca_ack_delay: delay } = attr;
    for (const rule of rules) {
      if (outcomeWord(rule.outcomes[0] ?? {}, 'mustReport') !== 'five-bit' || (delay >= 0 && delay <= 31))
        continue;
      this.#ledger.violate({
        rule: rule.id,
        ...when,
        qp: 'device',
        expected: 'local_ca_ack_delay of 0..31',
        observed: `local_ca_ack_delay ${delay}`,
      });
    }
  }
}

/** The attributes of a call as a person reads them. */
function told(attr: QpAttr): string {
  const parts = Object.entries(attr).map(([key, value]) => {
    if (key === 'qp_state' || key === 'cur_qp_state')
      return `${key} ${String(value).slice('IBV_QPS_'.length)}`;
    return typeof value === 'number' ? `${key} ${value}` : key;
  });
  return parts.length === 0 ? 'no attributes' : parts.join(', ');
}
