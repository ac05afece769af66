import { eventType } from '../../spec/constants.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import { withArticle } from '../device/qp.ts';
import { eventWord } from '../event-word.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { eventInputs } from './inputs.ts';
import type { KnownQp } from './objects.ts';
import type { VerbsInputs } from './variables.ts';

/** Judges asynchronous events by themselves: what they may be, what they name. */
export class AsyncEventJudge {
  readonly #context: VerbsContext;
  /** rules that keep events from QPs of a service, with an alternate path or without */
  readonly #kept = new Map<string, readonly Rule[]>();

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  /** Whether it is one of the device's objects that the trace has made. */
  see(what: AsyncEvent, qp: KnownQp | undefined, when: When): boolean {
    const { book, gone, header } = this.#context;
    const { qp_num: number } = what;
    if (number !== undefined) {
      const had = qp !== undefined || gone.has(number);
      const inputs = this.#context.event(qp);
      // on a real clock the device is there before the trace begins
      inputs.async = { names: namesOf(what), ofQp: qp !== undefined, told: header.clock === 'virtual', had };
      const met = this.#context.met(qp, inputs);
      for (const rule of book.broken('event-object', 'mustExist', met))
        book.violate(
          rule,
          { ...when, qp: 'device' },
          'a QP of the device',
          `${what.event_type} of QP ${number}`,
        );
    }
    // a device reports events of all objects of its context, those of other traces too
    if (this.#foreign(what, qp)) {
      book.skip('events of objects that the trace does not know');
      return false;
    }
    const { event_type: type } = what;
    const spot = { ...when, qp: qp?.name ?? 'device' };
    book.exercise(this.#keptFrom(qp));
    const met = this.#met(qp, eventWord(type), namesOf(what));
    const rules = book.decide('event', met);
    const of = qp === undefined ? '' : ` of ${withArticle(qp.service)} QP`;
    const forbidden = book.unmet(rules, 'admissible', met);
    for (const rule of forbidden) book.violate(rule, spot, 'an event that may come here', `${type}${of}`);
    for (const rule of book.unmet(rules, 'mustAffiliate', met))
      if (!forbidden.includes(rule))
        book.violate(rule, spot, `${type} that names ${ruleWord(rule, 'mustAffiliate')}`, named(what));
    return true;
  }

  #met(qp: KnownQp | undefined, type: string, names: VerbsInputs['async']['names']) {
    const inputs = this.#context.event(qp);
    inputs.async = { names, ofQp: qp !== undefined, told: false, had: false };
    inputs.event = eventInputs({ event: 0, t: 0 });
    return this.#context.met(qp, inputs, { asyncEvent: type });
  }

  #foreign({ qp_num: number, cq, srq }: AsyncEvent, qp: KnownQp | undefined): boolean {
    const { qps, objects } = this.#context;
    return (
      (number !== undefined && qps.size > 0 && qp === undefined) ||
      (cq !== undefined && isAny(objects.cqs()) && objects.cq(cq) === undefined) ||
      (srq !== undefined && isAny(objects.srqs()) && objects.srq(srq) === undefined)
    );
  }

  /** An event came, and none of those that must not come. */
  #keptFrom(qp: KnownQp | undefined): readonly Rule[] {
    const key = qp === undefined ? 'none' : `${qp.service} ${qp.qp.mayMigrate}`;
    let rules = this.#kept.get(key);
    if (rules === undefined) {
      rules = [...Object.keys(eventType.numbers), 'other'].flatMap((type) =>
        this.#context.book.saying('event', this.#met(qp, type, 'nothing'), 'admissible', 'forbidden'),
      );
      this.#kept.set(key, rules);
    }
    return rules;
  }
}

function isAny(objects: Iterator<unknown>): boolean {
  return objects.next().done !== true;
}

function given({ qp_num, cq, srq, port_num }: AsyncEvent): string[] {
  return Object.entries({ qp_num, cq, srq, port_num })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key);
}

function namesOf(what: AsyncEvent): VerbsInputs['async']['names'] {
  const [first, ...others] = given(what);
  if (others.length > 0) return 'several';
  switch (first) {
    case 'qp_num':
      return 'qp';
    case 'port_num':
      return 'port';
    case 'cq':
    case 'srq':
      return first;
    case undefined:
    default:
      return 'nothing';
  }
}

function named(what: AsyncEvent): string {
  return `${what.event_type} that names ${given(what).join(' and ') || 'nothing'}`;
}
