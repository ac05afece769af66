import { isAbsent, type Failure } from '../results.ts';
import { phraseOf } from './phrases.ts';
import { isRequest, kindOf, likeliest, namesNoState, packetWords } from './packets.ts';

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
  [/^byte of (?:the )?region =$/, 'byte of memory'],
  [/^\(newest executed\)$/, 'PSN'],
  [/^payload byte =$/, 'byte of payload'],
  [/^sent(?:, or the failure of its work request)?$/, 'packet'],
  [/^packets?$/, 'packet'],
  [/^READ responses$/, 'READ response'],
  [/^all packet\b/, 'all packets'],
  [/: nothing says that it has failed$/, ''],
  [/^(MigReq [01]) in MIGRATED$/, '$1'],
  [/^packets sent again$/, 'retransmission'],
  [/^fails$/, 'failure of the work request'],
  [/^sent again, or its work request failed$/, 'request sent again, or failure of its work request'],
  [/^no packet, or .*/, 'no packet'],
  [/^READ responses, at most, and (NAK .*?) in place of .*/, '$1'],
  [/^completes before it$/, 'a completion out of order'],
  [/^byte of region, which has,? =$/, 'byte beyond the memory of the region'],
  [/^its (kernel panics): (?:kernel )?([^,]*), address: in (\w+).*/, '$1, $2 in $3'],
  [/^at(?:, rkey| with R_Key)$/, 'place in memory or R_Key'],
  [/^at, rkey, operands,?$/, 'place in memory, R_Key or operands'],
  [/^a? ?CNP (?:to)?$/, 'CNP'],
  [/^of payload$/, 'payload'],
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

/** The number by which a packet is another one: "PSN". */
function otherNumber({ expected, observed }: Seen): string | undefined {
  return ['PSN', 'MSN', 'QP'].find((name) => {
    const [wanted, seen] = [expected, observed].map(
      (text) => new RegExp(`\\b${name} (0x[0-9a-f]+|\\d+)`, 'i').exec(text)?.[1],
    );
    return wanted !== undefined && seen !== undefined && wanted !== seen;
  });
}

const opcode = /\b[A-Z]+(?:_[A-Z]+)+\b/;

/** What makes a packet of the right kind another one. */
function otherPacket(kind: string, failure: Seen): string {
  if (kind === 'request') return 'request with another opcode';
  const [wanted, seen] = [failure.expected, failure.observed].map((text) => opcode.exec(text)?.[0]);
  if (wanted !== undefined && seen !== undefined && wanted !== seen) return `${kind} with another opcode`;
  const number = otherNumber(failure);
  return number === undefined ? `another ${kind}` : `${kind} with another ${number}`;
}

/** How a packet is addressed to another one: "addressed to another QP". */
function otherAddressee({ expected, observed }: Seen): string | undefined {
  const [wanted, seen] = [expected, observed].map((text) => /^addressed to qp (\S+) at (\S+)$/.exec(text));
  if (wanted == null || seen == null) return undefined;
  return `addressed to another ${wanted[1] === seen[1] ? 'address' : 'QP'}`;
}

/** What a packet, completion or event is, without an article. */
const bare = (text: string): string => packetWords(text).replace(/^an? /, '');

/** How what was seen departs from what was expected. */
interface Symptom {
  /** as the name of a cause, the same in every run: "IBV_WC_LOC_QP_OP_ERR instead of IBV_WC_LOC_PROT_ERR" */
  text: string;
  /** the way alone, such as "missing"; or, where something else was seen, what that was */
  departure: string;
}

/** Of a call: that it was taken or refused, whatever its attributes. */
function callSymptom({ expected, observed }: Seen): Symptom | undefined {
  const [, call, rest, due] = /^(\w+)\b(.*) (fails|succeeds)$/.exec(expected) ?? [];
  if (call === undefined || rest === undefined) return undefined;
  if (due === 'succeeds')
    return /^it fails\b/.test(observed) ? { departure: 'refused', text: `${call} refused` } : undefined;
  if (observed !== 'it succeeds') return undefined;
  return namesNoState(call, rest)
    ? { departure: 'accepted without a state', text: `${call} without a state accepted` }
    : { departure: 'accepted', text: `${[call, brief(rest)].join(' ').trim()} accepted` };
}

/** How what was seen departs from what was expected, in words that fit most. */
export function symptomOf({ expected, observed }: Seen): Symptom {
  const failure = { expected: likeliest(expected), observed };
  const symptom = plainSymptom(failure);
  return { ...symptom, text: phraseOf(failure) ?? symptom.text };
}

function plainSymptom(failure: Seen): Symptom {
  const { expected, observed } = failure;
  const [wanted, seen] = [brief(expected), brief(observed)];
  const way = (departure: string, text: string): Symptom => ({ departure, text });
  if (isAbsent(observed) || observed === `no ${wanted}`) return way('missing', `missing ${bare(wanted)}`);
  const flushed = /^no (flush of the \w+ queue in \w+)\b/.exec(expected);
  if (flushed?.[1] !== undefined) return way('unexpected', `unexpected ${flushed[1]}`);
  if (/^no\b/.test(wanted)) return way('unexpected', `unexpected ${bare(seen)}`);
  if (/^the next new packet\b/.test(wanted) && isRequest(seen))
    return way('request', 'unexpected request sent again');
  // what keeps it from being a packet stands behind it in parentheses, with lengths
  if (wanted === 'a well-formed RoCEv2 packet') {
    const fault = seen.replace(/ \(.*$/s, '');
    return way(fault, fault);
  }
  const addressee = otherAddressee(failure);
  if (addressee !== undefined) return way(addressee, addressee);
  if (wanted === 'a device that goes on working' || /^a status that an? /.test(wanted))
    return way(seen, seen);
  // only a number was expected
  if (wanted === '') return way('another', 'another PSN');
  const call = callSymptom(failure);
  if (call !== undefined) return call;
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
  const kinds = [packetWords(wanted), packetWords(seen)];
  if (kinds[0] === kinds[1]) return way(kindOf(seen), otherPacket(kinds[0] ?? '', failure));
  return way(kindOf(seen), `${kinds[1]} instead of ${kinds[0]}`);
}

interface Named {
  name: string;
  findings: readonly Failure[];
  consequences: readonly Failure[];
}

const leadOf = ({ findings, consequences }: Named): Failure | undefined => findings[0] ?? consequences[0];

/** The same causes; where several have one name, the rule of each stands behind it, and in front of that its signature where they have one rule. */
export function distinguished<T extends Named>(causes: readonly T[]): T[] {
  return causes.map((cause) => {
    const lead = leadOf(cause);
    const namesakes = causes.filter(({ name }) => name === cause.name);
    if (namesakes.length === 1 || lead === undefined) return cause;
    const { rule, signature } = lead;
    const alone = namesakes.filter((other) => leadOf(other)?.rule === rule).length === 1;
    const what = alone || signature === undefined ? '' : `: ${signature}`;
    return { ...cause, name: `${cause.name}${what} (${rule})` };
  });
}
