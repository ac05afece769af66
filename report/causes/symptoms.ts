import type { Failure } from '../results.ts';
import { likeliest } from './packets.ts';

type Seen = Pick<Failure, 'expected' | 'observed'>;

const words = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([word]) => word)),
];
const events = (text: string): string[] => words(text, /\bIBV_EVENT_\w+/g);
const statuses = (text: string): string[] => words(text, /\bIBV_WC_\w+/g);

const nothing = /^(?:no (?:event|completion|response)|none|neither)\b/;

/** At which end a work request completes: scenarios number the receive work requests from 1 and the others from 1000. */
export function sideOf({ expected, observed }: Seen): string {
  const [, number] = /(?:wr_id|work request) (\d+)/.exec(`${expected} ${observed}`) ?? [];
  return number === undefined ? '' : Number(number) >= 1000 ? ' at the requester' : ' at the responder';
}

const flush = 'IBV_WC_WR_FLUSH_ERR';
const success = 'IBV_WC_SUCCESS';

/** Refusals of a responder, and the status by which the requester reports each. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/\bNAK invalid[ -]request\b/i, 'IBV_WC_REM_INV_REQ_ERR'],
  [/\bNAK remote[ -]access[ -]error\b/i, 'IBV_WC_REM_ACCESS_ERR'],
  [/\bNAK remote[ -]operational[ -]error\b/i, 'IBV_WC_REM_OP_ERR'],
];

function refusedWith(text: string): string[] {
  return refusals.flatMap(([pattern, word]) => (pattern.test(text) ? [word] : []));
}

const grants = /\bACKNOWLEDGE psn \d+ .*(?<!N)\bACK\b|\bRDMA_READ_RESPONSE_/;

/** One refusal or response that grants in the place of another one: the requester reports what the response says. */
function refusalsOf({ expected, observed }: Seen): string[] {
  const wanted = refusedWith(expected);
  const seen = refusedWith(observed)[0] ?? (grants.test(observed) ? 'IBV_WC_SUCCESS' : undefined);
  if (seen === undefined || (seen === 'IBV_WC_SUCCESS' && wanted.length === 0)) return [];
  if (wanted.length > 0) return wanted.map((word) => `${seen} for ${word} at the requester`);
  return /\b(?:Acknowledge|READ responses|RDMA_READ_RESPONSE_\w+)\b/.test(expected)
    ? [`${seen} for IBV_WC_SUCCESS at the requester`]
    : [];
}

/**
 * What two findings may have in common, whichever rules they break: an event that never comes, a status in the place of another, a
 * state in the place of another. None where expectation and observation name no such thing.
 */
export function symptomsOf(failure: Seen): string[] {
  const { observed } = failure;
  const expected = likeliest(failure.expected);
  // that the last WQE is back reports no fault
  const isUnreported = observed === 'IBV_EVENT_QP_LAST_WQE_REACHED' && !/^no\b/.test(expected);
  if (nothing.test(observed) || isUnreported) return events(expected).map((event) => `no ${event}`);
  // what flushes is in ERR
  const [, flushed] = /^no flush of the \w+ queue in ([A-Z]+)\b/.exec(expected) ?? [];
  if (flushed !== undefined) return [`state ERR for state ${flushed}`];
  // nor does the SRQ of a QP that works have a last WQE
  const [, working] = /^IBV_EVENT_QP_LAST_WQE_REACHED in (RT[RS]|SQ[DE])$/.exec(observed) ?? [];
  if (working !== undefined) return [`state ERR for state ${working}`];
  const [state] = words(observed, /\bstate [A-Z]+\b/g);
  if (state !== undefined)
    return words(expected, /\bstate [A-Z]+\b/g).map((wanted) => `${state} for ${wanted}`);
  const [status, ...more] = statuses(observed);
  if (status === undefined) return refusalsOf({ expected, observed });
  if (more.length > 0) return [];
  const wanted = statuses(expected).filter((word) => word !== flush);
  const where = sideOf(failure);
  const isNeedless = status !== flush && status !== success;
  const inPlace = wanted.map((word) => `${status} for ${word}${where}`);
  // that nothing had failed yet, and that it succeeds, are the same for what fails
  const needless =
    isNeedless && (wanted.join() === success || /^no failure\b/.test(expected))
      ? [`needless ${status}${where}`]
      : [];
  if (inPlace.length + needless.length > 0) return [...inPlace, ...needless];
  return /^no (?:receive )?completion(?! after IBV_EVENT)/.test(expected) && status !== flush
    ? [`unexpected ${status}${where}`]
    : [];
}
