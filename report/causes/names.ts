import type { Failure } from '../results.ts';

type Seen = Pick<Failure, 'expected' | 'observed'>;

/** Numbers that only tell one packet or work request from another. */
const numbers =
  /,? ?(?:\((?:response|PSN)[^)]*\)|\bfrom PSN \d+(?: on)?|\b(?:for|of|with)? ?(?:psn|qp|qp_num|msn|wr_id|PSN|work request) (?:0x[0-9a-f]+|\d+)(?:(?: to| or) \d+)*| timer \d+ \([^)]*\)|, rate .*)/g;
/** What differs from run to run as well; ranges and bits of a header say something. */
const values =
  /\d+\.\.[\d^-]+| ?\b(?:within|after|at) [\d.]+ ?(?:bytes?|ns|us|ms|s|[GMk]?b\/s)(?!\w)|\b(?:MigReq|AckReq) [01]\b| ?\b(?:0x[0-9a-f]+|\d[\d.,]*)(?: ?(?:bytes?|ns|us|ms|s))?\b/g;
const longest = 70;

/** Words for what is left without them. */
const whole: readonly (readonly [RegExp, string])[] = [
  [/^byte of region =$/, 'byte of memory'],
  [/^payload byte =$/, 'byte of payload'],
  [/^sent(?:, or the failure of its work request)?$/, 'packet'],
  [/^packets?$/, 'packet'],
  [/^all packet\b/, 'all packets'],
  [/: nothing says that it has failed$/, ''],
  [/^fails$/, 'failure of the work request'],
];

/** What an expectation or observation says in every run: the name of a cause must not change with the numbers of a case. */
function brief(text: string): string {
  const plain = text
    .replaceAll(numbers, '')
    .replaceAll(values, (found) => (/\.\.|Req/.test(found) ? found : ''))
    .trim()
    .replace(/^(?:completion )?(?:of (?:work request|receive) )?with /, '')
    .replace(/^(?:RC|UC|UD) (?:ACKNOWLEDGE (?=NAK))?/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const short = whole.reduce((said, [pattern, words]) => said.replace(pattern, words), plain);
  return short.length <= longest ? short : `${short.slice(0, longest).replace(/\s\S*$/, '')}...`;
}

// "0 of them" is in reports of earlier versions
const absent = /^(?:no (?:event|completion|response)|none|neither|nothing|no packet|0 of them)\b/;

/** The number by which a packet is another one: "PSN". */
function otherNumber({ expected, observed }: Seen): string | undefined {
  return ['PSN', 'MSN', 'QP'].find((name) => {
    const [wanted, seen] = [expected, observed].map(
      (text) => new RegExp(`\\b${name} (0x[0-9a-f]+|\\d+)`, 'i').exec(text)?.[1],
    );
    return wanted !== undefined && seen !== undefined && wanted !== seen;
  });
}

/** How a packet is addressed to another one: "addressed to another QP". */
function otherAddressee({ expected, observed }: Seen): string | undefined {
  const [wanted, seen] = [expected, observed].map((text) => /^addressed to qp (\d+) at (\S+)$/.exec(text));
  if (wanted == null || seen == null) return undefined;
  return `addressed to another ${wanted[1] === seen[1] ? 'address' : 'QP'}`;
}

/** Words for what was seen that are the same for each packet of a message, whatever flags it has, and for each event. */
function plainOf(seen: string): string {
  const [, operation] =
    /\b(?:\w+_)?(SEND|RDMA_WRITE|RDMA_READ_REQUEST|RDMA_READ_RESPONSE)(?:_|\b)/.exec(seen) ?? [];
  const plain = seen.replace(/\bIBV_EVENT_\w+/, 'event').replace(/ of an? (?:RC|UC|UD) QP$/, '');
  return operation === undefined ? plain : operation === 'RDMA_READ_RESPONSE' ? 'response' : 'request';
}

/** How what was seen departs from what was expected. */
interface Symptom {
  /** as the name of a cause, the same in every run: "IBV_WC_LOC_QP_OP_ERR instead of IBV_WC_LOC_PROT_ERR" */
  text: string;
  /** the way alone, such as "missing"; or, where something else was seen, what that was */
  departure: string;
}

export function symptomOf(failure: Seen): Symptom {
  const { expected, observed } = failure;
  const [wanted, seen] = [brief(expected), brief(observed)];
  const way = (departure: string, text: string): Symptom => ({ departure, text });
  if (absent.test(observed)) return way('missing', `missing: ${wanted}`);
  if (/^no\b/.test(wanted)) return way('unexpected', `unexpected: ${seen}`);
  const addressee = otherAddressee(failure);
  if (addressee !== undefined) return way(addressee, addressee);
  // only a number was expected
  if (wanted === '') return way('another', 'another PSN');
  const call = /^(.*) fails$/.exec(expected);
  if (call?.[1] !== undefined && observed === 'it succeeds')
    return way('accepted', `accepted: ${brief(call[1])}`);
  const most = /^at most (.*)$/.exec(wanted);
  if (most?.[1] !== undefined) return way('more', `more ${most[1]} than allowed`);
  const stem = (text: string): string => text.replace(/ (?:with\b|(?:psn|msn) \d).*$/i, '');
  const other = stem(wanted) === stem(seen) ? otherNumber(failure) : undefined;
  if (other !== undefined && stem(seen) !== other) {
    const text = `${stem(seen)} with another ${other}`.trim();
    return way(text, text);
  }
  if (wanted.startsWith(`${seen} of `))
    return way(`${seen} beyond`, `${seen} beyond ${wanted.slice(seen.length + 4)}`);
  // where numbers are all that differs they are what is wrong
  if (wanted === seen || seen === '') return way('another', `another ${wanted}`);
  return way(plainOf(seen), `${seen} instead of ${wanted}`);
}

interface Named {
  name: string;
  findings: readonly Failure[];
  consequences: readonly Failure[];
}

/** The same causes; where several have one name, the rule of each stands behind it. */
export function toldApart<T extends Named>(causes: readonly T[]): T[] {
  return causes.map((cause) => {
    const [lead] = [...cause.findings, ...cause.consequences];
    const alone = causes.filter(({ name }) => name === cause.name).length === 1;
    return alone || lead === undefined ? cause : { ...cause, name: `${cause.name} (${lead.rule})` };
  });
}
