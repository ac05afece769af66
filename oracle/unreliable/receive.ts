import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import type { Outcome, Rule } from '../rules.ts';
import { requestShape } from '../device/opcode-shape.ts';
import { outcomeWord, outcomeWords, ruleWord } from '../rulebook/outcome.ts';
import { admissionFacts, boundWqe, familyOf, operationFacts, sequenceFacts } from './facts.ts';
import { placeMessage, refuse, spoil } from './memory.ts';
import { grhBytes } from '../device/receive-queue.ts';
import type { Due, OpenMessage, ReceiveState, UnreliableQp } from './qp.ts';
import { tableOf, type UnreliableBook } from './tables.ts';

/** One way that the rules allow a packet to go. */
export interface Course {
  rules: readonly Rule[];
  /** by which the packet was discarded; `undefined`: it was carried out */
  discardedBy: Rule | undefined;
  /** the rule that says what software is to see of it, where it is not the same */
  reportedBy?: Rule;
  /** it was discarded for lack of a receive WQE */
  starved: boolean;
  apply: (state: ReceiveState) => void;
}

interface Arrival {
  qp: UnreliableQp;
  book: UnreliableBook;
  packet: Packet;
  /** index in the trace */
  event: number;
}

/** Every way on for a packet that reaches the QP in this state, the likeliest first. */
export function transitionsFor(arrival: Arrival, state: ReceiveState): Course[] {
  const { qp, book, packet } = arrival;
  const admission = book.peek(tableOf(qp.kind, 'admission'), admissionFacts(qp.kind, qp, state, packet)).rule;
  if (ruleWord(admission, 'next') === undefined)
    return [
      {
        rules: [admission],
        // a QP that lives on though it must have failed is not to blame for what it receives
        discardedBy: admission.when['qpState'] === undefined ? admission : (state.failedBy ?? admission),
        starved: false,
        apply: (after) => refuse(qp, after, packet),
      },
    ];
  const notable = state.qpState === 'SQE' ? admission : undefined;
  if (qp.kind === 'UD') return operations(arrival, state, [admission], undefined, notable);
  const sequence = book.peek('uc-responder-sequence', sequenceFacts(state, packet)).rule;
  return sequence.outcomes.flatMap((outcome) =>
    inSequence(arrival, state, [admission, sequence], outcome, notable),
  );
}

function inSequence(
  arrival: Arrival,
  state: ReceiveState,
  rules: readonly Rule[],
  outcome: Outcome,
  notable: Rule | undefined,
): Course[] {
  const { packet, qp, book, event } = arrival;
  const rule = rules.at(-1) as Rule;
  const message = outcomeWord(outcome, 'message');
  if (message === 'continue') return operations(arrival, state, rules, state.message, notable);
  if (message === 'start' || message === 'restart') {
    const via = message === 'restart' ? rule : notable;
    const kind = familyOf(packet) === 'write' ? 'write' : 'send';
    const fresh: OpenMessage = {
      kind,
      received: 0,
      reth: packet.reth,
      wqe: undefined,
      via,
      reused: undefined,
    };
    const before = state.message === undefined ? state : state.clone();
    const left = giveUp(qp, book, before, rule, event);
    const courses = operations(arrival, before, [...rules, ...left], fresh, undefined);
    return courses.map((course) => ({
      ...course,
      apply: (after) => {
        giveUp(qp, book, after, rule, event);
        after.rest = undefined;
        course.apply(after);
      },
    }));
  }
  const abandons = message === 'abandon';
  const lost = abandons && state.message?.wqe !== undefined ? [abandonRule(qp, book)] : [];
  const root = state.message === undefined ? (state.rest?.rule ?? rule) : rule;
  return [
    {
      rules: [...rules, ...lost],
      discardedBy: abandons || familyOf(packet) === 'other' ? rule : root,
      starved: false,
      apply: (after) => {
        refuse(qp, after, packet);
        if (abandons) giveUp(qp, book, after, rule, event);
      },
    },
  ];
}

function abandonRule(qp: UnreliableQp, book: UnreliableBook): Rule {
  const facts = {
    receiveOf: qp.srq !== undefined ? 'shared' : 'own',
    givesBack: qp.capabilities?.has('srq-abort') === true ? 'completes' : 'returns',
  };
  return book.peek('uc-responder-abandon', facts).rule;
}

/** The message in progress is given up since packets are missing; gives the rule for its receive WQE, if it held one. */
function giveUp(
  qp: UnreliableQp,
  book: UnreliableBook,
  state: ReceiveState,
  rule: Rule,
  event: number,
): Rule[] {
  const { message } = state;
  if (message === undefined) return [];
  state.rest = { message, rule };
  state.message = undefined;
  if (message.wqe === undefined) return [];
  const abandon = abandonRule(qp, book);
  report(qp, state, message, abandon, abandon.outcomes[0] ?? {}, { kind: 'aborted', event });
  return [abandon];
}

/** What software is to see of a message that was given up, and what becomes of the receive WQE. */
function report(
  qp: UnreliableQp,
  state: ReceiveState,
  message: OpenMessage | undefined,
  rule: Rule,
  outcome: Outcome,
  { kind, event }: { kind: 'aborted' | 'fault'; event: number },
): void {
  if (outcomeWord(outcome, 'notice') === 'completion') {
    const wqe = message?.wqe ?? state.rqHead++;
    const statuses = outcomeWords(outcome, 'receiveStatus');
    state.due = [...state.due, { ...plainDue(wqe, rule, event), kind, statuses }];
    state.faulted ||= kind === 'fault';
  } else if (message?.wqe !== undefined) {
    state.rqHead = message.wqe;
    state.reused = rule;
  }
  if (outcomeWord(outcome, 'qp') === 'error') {
    state.qpState = 'ERR';
    state.failedBy = rule;
  }
  if (message) message.wqe = undefined;
}

function plainDue(wqe: number, violatedRule: Rule | undefined, event: number): Due {
  return {
    kind: 'message',
    wqe,
    statuses: ['IBV_WC_SUCCESS'],
    length: 0,
    immediate: undefined,
    opcode: 'IBV_WC_RECV',
    source: undefined,
    violatedRule,
    reused: undefined,
    event,
  };
}

/** Checks that may fail at once, and carrying the packet out. `state` is as it is when they are made. */
function operations(
  arrival: Arrival,
  state: ReceiveState,
  rules: readonly Rule[],
  message: OpenMessage | undefined,
  notable: Rule | undefined,
): Course[] {
  const { qp, book, packet } = arrival;
  const courses: Course[] = [];
  const told = new Set<Rule>();
  for (const facts of operationFacts(qp, state, message, packet))
    for (const rule of book.ask(tableOf(qp.kind, 'operation'), facts)) {
      if (told.has(rule)) continue;
      told.add(rule);
      const starved = facts['receive'] === 'none' && ruleWord(rule, 'fault') === undefined;
      for (const outcome of rule.outcomes)
        courses.push(...operation(arrival, state, [...rules, rule], outcome, message, { notable, starved }));
    }
  // what is carried out comes first
  return courses.toSorted(
    (a, b) => Number(a.discardedBy !== undefined) - Number(b.discardedBy !== undefined),
  );
}

function operation(
  arrival: Arrival,
  state: ReceiveState,
  rules: readonly Rule[],
  outcome: Outcome,
  message: OpenMessage | undefined,
  { notable, starved }: { notable: Rule | undefined; starved: boolean },
): Course[] {
  const { qp, book, packet, event } = arrival;
  const rule = rules.at(-1) as Rule;
  if (outcomeWord(outcome, 'next') !== undefined) {
    const transfer =
      requestShape(packet.opcode).immediate && familyOf(packet) === 'write'
        ? 'write-immediate'
        : familyOf(packet);
    const { position } = requestShape(packet.opcode);
    const ends = position === 'last' || position === 'only' ? 'last' : 'more';
    const execute = book.peek(tableOf(qp.kind, 'execute'), { transfer, ends }).rule;
    return execute.outcomes.map((effect) => ({
      rules: [...rules, execute],
      discardedBy: undefined,
      starved: false,
      apply: (after) => carryOut(arrival, after, message && { ...message }, effect, ends === 'last', notable),
    }));
  }
  const fault = outcomeWord(outcome, 'fault');
  const give = (after: ReceiveState): OpenMessage | undefined => {
    const own = message && { ...message };
    after.message = undefined;
    after.rest = { message: own, rule };
    after.ePsn = psnAdd(packet.psn, 1);
    return own;
  };
  if (fault === undefined)
    return [
      {
        rules,
        discardedBy: rule,
        starved,
        apply: (after) => {
          refuse(qp, after, packet, message);
          if (qp.kind === 'UD') return;
          const own = give(after);
          // only a message that takes its WQE last may be without one here
          if (own?.wqe !== undefined) after.rqHead = own.wqe;
        },
      },
    ];
  const facts = {
    fault,
    boundWqe: boundWqe(state, message, packet),
    receiveOf: qp.srq !== undefined ? 'shared' : 'own',
  };
  const told = book.peek(tableOf(qp.kind, 'report'), facts).rule;
  return told.outcomes.map((effect) => ({
    rules: [...rules, told],
    discardedBy: rule,
    reportedBy: told,
    starved: false,
    apply: (after) => {
      if (fault === 'access' || fault === 'unsupported') refuse(qp, after, packet, message);
      else spoil(qp, after, packet, message);
      const own = give(after);
      report(qp, after, own, told, effect, { kind: 'fault', event });
    },
  }));
}

function carryOut(
  { qp, packet, event }: Arrival,
  state: ReceiveState,
  open: OpenMessage | undefined,
  effect: Outcome,
  ends: boolean,
  notable: Rule | undefined,
): void {
  const message: OpenMessage = open ?? {
    kind: 'send',
    received: 0,
    reth: undefined,
    wqe: undefined,
    via: notable,
    reused: undefined,
  };
  const { reused } = state;
  const queue = outcomeWord(effect, 'receiveQueue');
  if ((queue === 'fill' || queue === 'take') && message.wqe === undefined) {
    message.wqe = state.rqHead++;
    message.reused = reused;
    state.reused = undefined;
  }
  const completes = outcomeWord(effect, 'completion') === 'message';
  placeMessage({ qp, state, message, packet, effect, whole: ends });
  message.received += packet.payloadLength;
  state.ePsn = psnAdd(packet.psn, 1);
  state.message = ends ? undefined : message;
  if (!completes || message.wqe === undefined) return;
  const immediate = requestShape(packet.opcode).immediate;
  const due: Due = {
    ...plainDue(message.wqe, message.via, event),
    reused: message.reused,
    length: message.received + (outcomeWord(effect, 'grh') === 'placed' ? grhBytes : 0),
    immediate: immediate ? packet.immediate : undefined,
    opcode: message.kind === 'write' ? 'IBV_WC_RECV_RDMA_WITH_IMM' : 'IBV_WC_RECV',
    source: qp.kind === 'UD' ? packet.deth?.srcQp : undefined,
  };
  state.due = [...state.due, due];
}
