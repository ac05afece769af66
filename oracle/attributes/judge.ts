import type { DeviceAttr, QpAttr } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import type { Observer } from '../device/observer.ts';
import { stateName, type QpStateName } from '../device/qp-state.ts';
import { serviceOf, type Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { take, unused, type Known } from './known.ts';
import { judgeModify } from './modify.ts';
import { compared, comparedKeys, wantedValue } from './query.ts';
import type { AttributeBook, AttributeTables } from './tables.ts';
import type { QpLimits } from './values.ts';

/**
 * Judges what a device does with the parameters of its RC QPs: which calls of ibv_modify_qp it takes, and what it says of
 * the values afterwards. A QP changes its state by itself only after packets or posts, and a query tells of it: in between
 * its calls are not judged.
 */
export class QpAttributeJudge implements Observer {
  readonly #book: AttributeBook;
  readonly #known = new Map<Qp, Known>();
  readonly #limits: QpLimits;
  #traffic = 0;

  constructor(tables: AttributeTables, ledger: Ledger, { limits, capabilities }: TraceHeader) {
    this.#book = new RuleBook(tables, ledger);
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
    if (serviceOf(qp) === 'RC') this.#known.set(qp, unused(this.#traffic));
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
    const known = this.#known.get(qp);
    if (known === undefined) return;
    this.#judge(qp, known, { attr, to: to ?? known.state, errno: undefined }, when);
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
    take(known, attr, this.#limits);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: When): void {
    const known = this.#known.get(qp);
    const to = attr.qp_state === undefined ? known?.state : stateName(attr.qp_state);
    if (known !== undefined && to !== undefined) this.#judge(qp, known, { attr, to, errno }, when);
  }

  #judge(
    { name }: Qp,
    known: Known,
    call: { attr: QpAttr; to: QpStateName; errno: number | undefined },
    when: When,
  ): void {
    if (known.knownAt === this.#traffic)
      judgeModify(this.#book, known, call, this.#limits, { ...when, qp: name });
    else this.#book.skip('ibv_modify_qp of a QP that may have changed its state by itself');
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
      const facts = {
        attribute: compared[key],
        given: given?.as ?? 'never',
        queriedIn: connected ? 'connected' : 'other',
      };
      for (const rule of this.#book.decide('qp-query', facts)) {
        const demand = ruleWord(rule, 'mustReturn') ?? 'any';
        const wanted = wantedValue(demand, key, given?.value ?? 0, value);
        if (wanted === undefined) continue;
        const observed = `${key} ${value ?? 'is not given'}`;
        this.#book.violate(rule, { ...when, qp: qp.name }, `${key} ${wanted}`, observed);
      }
    }
  }

  deviceQueried(attr: DeviceAttr, when: When): void {
    this.#limits.destination = attr.max_qp_rd_atom;
    this.#limits.initiator = attr.max_qp_init_rd_atom;
    const { local_ca_ack_delay: delay } = attr;
    for (const rule of this.#book.decide('device-query', { deviceAttribute: 'local-ca-ack-delay' })) {
      if (ruleWord(rule, 'mustReport') !== 'five-bit' || (delay >= 0 && delay <= 31)) continue;
      this.#book.violate(rule, when, 'local_ca_ack_delay of 0..31', `local_ca_ack_delay ${delay}`);
    }
  }
}
