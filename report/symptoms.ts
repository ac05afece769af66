import type { Failure } from './results.ts';

type Seen = Pick<Failure, 'expected' | 'observed'>;

const words = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([word]) => word)),
];
const events = (text: string): string[] => words(text, /\bIBV_EVENT_\w+/g);
const statuses = (text: string): string[] => words(text, /\bIBV_WC_\w+/g);

const nothing = /^(?:no (?:event|completion|response)|none|neither)\b/;

/** Scenarios number the receive work requests from 1 and the others from 1000. */
function side({ expected, observed }: Seen): string {
  const [, number] = /(?:wr_id|work request) (\d+)/.exec(`${expected} ${observed}`) ?? [];
  return number === undefined ? '' : Number(number) >= 1000 ? ' at the requester' : ' at the responder';
}

/**
 * What two findings may have in common, whichever rules they break: an event that never comes, a status in the place of another, a
 * state in the place of another. None where expectation and observation name no such thing.
 */
export function symptomsOf(failure: Seen): string[] {
  const { expected, observed } = failure;
  if (nothing.test(observed)) return events(expected).map((event) => `no ${event}`);
  const [state] = words(observed, /\bstate [A-Z]+\b/g);
  if (state !== undefined)
    return words(expected, /\bstate [A-Z]+\b/g).map((wanted) => `${state} for ${wanted}`);
  const [status, ...more] = statuses(observed);
  if (status === undefined || more.length > 0) return [];
  const wanted = statuses(expected).filter((word) => word !== 'IBV_WC_WR_FLUSH_ERR');
  const where = side(failure);
  if (wanted.length > 0) return wanted.map((word) => `${status} for ${word}${where}`);
  return /^no (?:receive )?completion/.test(expected) ? [`unexpected ${status}${where}`] : [];
}

/** Numbers that only tell one packet or work request from another. */
const numbers =
  /,? ?(?:\((?:response|PSN)[^)]*\)|\bfrom PSN \d+(?: on)?|\b(?:for|of|with)? ?(?:psn|qp|msn|wr_id|PSN|work request) (?:0x[0-9a-f]+|\d+)(?: to \d+)?)/g;
const longest = 70;

function brief(text: string): string {
  const short = text
    .replaceAll(numbers, '')
    .replace(/^(?:completion of (?:work request|receive)? ?)?with /, '')
    .replace(/^(?:RC|UC|UD) (?:ACKNOWLEDGE (?=NAK))?/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return short.length <= longest ? short : `${short.slice(0, longest).replace(/\s\S*$/, '')}...`;
}

/** The number of a packet that is another one: "with PSN 1 instead of 0". */
function otherNumber({ expected, observed }: Seen): string | undefined {
  for (const name of ['PSN', 'MSN', 'QP']) {
    const [wanted, seen] = [expected, observed].map(
      (text) => new RegExp(`\\b${name} (0x[0-9a-f]+|\\d+)`, 'i').exec(text)?.[1],
    );
    if (wanted !== undefined && seen !== undefined && wanted !== seen)
      return `with ${name} ${seen} instead of ${wanted}`;
  }
  return undefined;
}

/** What is wrong, as the name of a cause: "IBV_WC_LOC_QP_OP_ERR instead of IBV_WC_LOC_PROT_ERR". */
export function symptomText(failure: Seen): string {
  const { expected, observed } = failure;
  const [wanted, seen] = [brief(expected), brief(observed)];
  if (nothing.test(observed)) return `missing: ${wanted}`;
  if (/^no\b/.test(wanted)) return `unexpected: ${seen}`;
  const stem = (text: string): string => text.replace(/ (?:with\b|(?:psn|msn) \d).*$/i, '');
  const other = stem(wanted) === stem(seen) ? otherNumber(failure) : undefined;
  if (other !== undefined) return `${stem(seen)} ${other}`;
  // where numbers are all that differs they are what is wrong
  return wanted === seen ? `${observed} instead of ${expected}` : `${seen} instead of ${wanted}`;
}
