import type { QpAttr } from '../../spec/verbs.ts';
import { attributeFacts, transitionName } from './attributes.ts';
import { compared, comparedKeys, wantedValue, type Compared } from './query.ts';
import { valueFacts, type QpLimits } from './values.ts';
import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../trace.ts';
import { stateName, type QpStateName } from '../device/qp-state.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../rulebook/spot.ts';

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

/** What is known of one QP from the calls on it. */
interface KnownQp {
  name: string;
  number: number;
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

type Modify = Extract<VerbsCall, { call: 'modify_qp' }>;

/**
 * Judges what a device does with the parameters of its QPs: which calls of ibv_modify_qp it takes, and what it says of
 * the values afterwards. A QP changes its state by itself only after packets or posts, and a query tells of it: in between
 * its calls are not judged.
 */
export class QpAttributeJudge {
  readonly #rules: ParameterRules;
  readonly #ledger: Ledger;
  readonly #qps = new Map<number, KnownQp>();
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

  /** Takes every event of the trace in order. */
  see(event: TraceEvent, index: number): void {
    switch (event.kind) {
      case 'packet':
      case 'frame':
      case 'completion':
      case 'gap':
        this.#traffic++;
        return;
      case 'async':
        if (event.event.event_type === 'IBV_EVENT_SQ_DRAINED') this.#drained(event.event.qp_num);
        else this.#traffic++;
        return;
      case 'settled':
        for (const qp of this.#qps.values()) if (qp.idle) qp.drained = true;
        return;
      case 'memory':
      case 'stall':
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
        return;
      case 'call':
        return this.#call(event, { event: index, t: event.t });
      case 'call-failed':
        if (event.attempted?.call === 'modify_qp')
          this.#modify(event.attempted, { event: index, t: event.t }, event.errno);
        return;
    }
  }

  #drained(number: number | undefined): void {
    for (const qp of this.#qps.values()) if (qp.number === number) qp.drained = true;
  }

  #call(call: Extract<TraceEvent, { kind: 'call' }>, seen: When): void {
    switch (call.call) {
      case 'create_qp':
        if (call.qp_type === 'IBV_QPT_RC')
          this.#qps.set(call.qp, {
            name: `qp 0x${call.qp_num.toString(16).padStart(6, '0')}`,
            number: call.qp_num,
            state: 'RESET',
            knownAt: this.#traffic,
            drained: true,
            idle: true,
            given: new Map(),
            alternate: undefined,
          });
        return;
      case 'destroy_qp':
        this.#qps.delete(call.qp);
        return;
      case 'modify_qp':
        return this.#modify(call, seen, undefined);
      case 'query_qp':
        return this.#query(call, seen);
      case 'query_device':
        return this.#device(call, seen);
      case 'post_send': {
        this.#traffic++;
        const qp = this.#qps.get(call.qp);
        if (qp !== undefined) qp.idle = false;
        return;
      }
      case 'post_recv':
      case 'post_srq_recv':
        this.#traffic++;
        return;
      case 'reg_mr':
      case 'dereg_mr':
      case 'write_memory':
      case 'create_srq':
      case 'modify_srq':
      case 'query_srq':
      case 'create_cq':
      case 'create_ah':
      case 'query_port':
        return;
    }
  }

  #modify({ qp: handle, attr }: Modify, seen: When, errno: number | undefined): void {
    const qp = this.#qps.get(handle);
    if (qp === undefined) return;
    const to = attr.qp_state === undefined ? undefined : stateName(attr.qp_state);
    if (qp.knownAt === this.#traffic) this.#judge(qp, attr, to ?? qp.state, seen, errno);
    else this.#ledger.skip('ibv_modify_qp of a QP that may have changed its state by itself');
    if (errno === undefined) this.#apply(qp, attr, to);
  }

  #judge(qp: KnownQp, attr: QpAttr, to: QpStateName, seen: When, errno: number | undefined): void {
    const { state: from } = qp;
    const transition = Object.keys(attr).length === 0 ? 'nothing' : transitionName(from, to);
    const named = attr.cur_qp_state === undefined ? undefined : stateName(attr.cur_qp_state);
    const facts = {
      transition,
      namedState: named === undefined ? 'absent' : named === from ? 'right' : 'wrong',
      drain: from !== 'SQD' ? 'none' : qp.drained ? 'done' : 'possible',
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
      ...seen,
      qp: qp.name,
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

  #apply(qp: KnownQp, attr: QpAttr, to: QpStateName | undefined): void {
    if (to !== undefined) {
      if (to === 'SQD' && qp.state !== 'SQD') qp.drained = false;
      qp.state = to;
      qp.knownAt = this.#traffic;
    }
    if (to === 'RESET') {
      qp.given.clear();
      qp.idle = true;
      qp.alternate = undefined;
    }
    if (attr.alt_ah_attr !== undefined) qp.alternate = attr.alt_timeout ?? 0;
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
      qp.given.set(key, { value, as: beyond[key] ? 'beyond' : raised ? 'below-minimum' : 'inside' });
    }
  }

  #query({ qp: handle, attr }: Extract<VerbsCall, { call: 'query_qp' }>, seen: When): void {
    const qp = this.#qps.get(handle);
    if (qp === undefined || attr.qp_state === undefined) return;
    qp.state = stateName(attr.qp_state);
    qp.knownAt = this.#traffic;
    const connected = ['INIT', 'RTR', 'RTS', 'SQD'].includes(qp.state);
    for (const key of comparedKeys) {
      const value = attr[key];
      const given = qp.given.get(key);
      if (key === 'timeout' && value === qp.alternate) continue;
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
          ...seen,
          qp: qp.name,
          expected: `${key} ${wanted}`,
          observed: `${key} ${value ?? 'is not given'}`,
        });
      }
    }
  }

  #device({ attr }: Extract<VerbsCall, { call: 'query_device' }>, seen: When): void {
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
        ...seen,
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
