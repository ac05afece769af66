import { findingName, type FindingName } from '../../report/results.ts';
import type { TraceEvent, VerbsCall, Violation } from '../../oracle/index.ts';

/** Names of packets and work requests: which operation it was is seldom what matters. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\b(?:RC |UC |UD )?RDMA_READ_RESPONSE_\w+/g, 'READ response'],
  [/\b(?:RC |UC |UD )?ATOMIC_ACKNOWLEDGE\b/g, 'ATOMIC Acknowledge'],
  [/\b(?:RC |UC |UD )?ACKNOWLEDGE\b/g, ''],
  [/\b(?:RC|UC|UD)[_ ][A-Z]+_[A-Z_]+\b/g, 'request'],
  [/\bIBV_WR_\w+/g, 'work request'],
];

/** Values that differ from case to case, with the words that only introduce them. */
const varying =
  /(?: (?:with|for|of))?\b ?(?:psn|qp|msn|wr_id|PSN|MSN|work request) (?:0x[0-9a-f]+|\d+)|\b(?:0x[0-9a-f]+|\d[\d.,]*)(?: ?(?:bytes?|ns|us|ms|s)\b)?/g;

/** A sentence of lengths, in brackets behind the header that is at fault: nothing of it is left without its numbers. */
const lengths = /^(a frame with a fault: [a-z-]+) \(.*\)$/;

/** What was seen, without what differs from case to case. */
function outcomeOf(observed: string): string {
  const short = observed.replace(lengths, '$1');
  const named = names.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), short);
  const words = named
    .replaceAll(varying, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \( ?\)/g, '');
  return words.replaceAll(/^[,:;. ]+|[,:;. ]+$/g, '') || 'another value';
}

type Created = Extract<VerbsCall, { call: 'create_qp' }>;

/** The QP that a violation names by its number. */
function qpOf({ qp }: Violation, events: readonly TraceEvent[]): Created | undefined {
  const number = Number(/\b0x[0-9a-f]+/.exec(qp)?.[0]);
  const made = events.findLast((e) => e.kind === 'call' && e.call === 'create_qp' && e.qp_num === number);
  return made?.kind === 'call' && made.call === 'create_qp' ? made : undefined;
}

/**
 * Success of a READ or ATOMIC brings data, that of another work request does not. Where the retries were used up it was answered all the
 * same, only too late; where another failure was due it was not.
 */
function successOf(
  event: TraceEvent | undefined,
  before: readonly TraceEvent[],
  expected: string,
): string | undefined {
  if (event?.kind !== 'completion' || event.wc.status !== 'IBV_WC_SUCCESS') return undefined;
  const { wr_id } = event.wc;
  const post = before.findLast((e) => e.kind === 'call' && e.call === 'post_send' && e.wr.wr_id === wr_id);
  if (post?.kind !== 'call' || post.call !== 'post_send') return undefined;
  const late = expected.includes('RETRY_EXC_ERR') ? ' with its retries used up' : '';
  return `of a ${/READ|ATOMIC/.test(post.wr.opcode) ? 'READ or ATOMIC' : 'SEND or WRITE'}${late}`;
}

/** What software had done with the QP, where that is unusual. */
function historyOf(handle: number, before: readonly TraceEvent[]): string | undefined {
  const states = before.flatMap((e) =>
    e.kind === 'call' && e.call === 'modify_qp' && e.qp === handle && e.attr.qp_state !== undefined
      ? [e.attr.qp_state.replace('IBV_QPS_', '')]
      : [],
  );
  const now = states.at(-1);
  if (now === 'SQD' || now === 'ERR' || now === 'RESET') return `in ${now}`;
  const born = states.lastIndexOf('RESET');
  if (born > 0 && states.slice(0, born).includes('RTR')) return 'after RESET';
  return states.slice(born + 1).includes('SQD') ? 'after SQD' : undefined;
}

/**
 * What tells two defects apart that break one rule, in a few words: what was seen, and what software had done with the QP where that is
 * unusual. What differs from case to case is left out.
 */
export function signatureOf(violation: Violation, events: readonly TraceEvent[]): string {
  const before = events.slice(0, Math.max(0, violation.event));
  const qp = qpOf(violation, before);
  return [
    outcomeOf(violation.observed),
    successOf(events[violation.event], before, violation.expected),
    qp === undefined ? undefined : historyOf(qp.qp, before),
  ]
    .filter((part) => part !== undefined)
    .join(', ')
    .replace('SUCCESS, of', 'SUCCESS of');
}

/** What a finding is kept by: two of one rule differ in their signature. */
export function findingKey({ rule, signature }: FindingName): string {
  return findingName({ rule, signature });
}
