import type { Failure } from '../results.ts';

interface Phrase {
  expected: RegExp;
  /** absent: whatever was seen */
  observed?: RegExp;
  /** `$1` is the first group of `expected`, `$2` that of `observed` */
  text: string;
}

/** Expectations that make no name by leaving their numbers out. */
const phrases: readonly Phrase[] = [
  { expected: /^wr_id \d+ first$/, text: 'a completion out of order' },
  { expected: /^either a completion in error or /, observed: /^both$/, text: 'a failure reported twice' },
  {
    expected: /^a completion of a work request that is outstanding$/,
    observed: /^(IBV_WC_\w+)/,
    text: '$2 of no work request that is outstanding',
  },
  { expected: /^an event that may come here$/, observed: /^(IBV_EVENT_\w+)/, text: 'unexpected $2' },
  { expected: /^(IBV_EVENT_CQ_ERR)$/, observed: /^\d+ (?:of \d+ )?completions/, text: 'missing $1' },
  { expected: /^(?:an error, or )?room for \d+$/, text: 'less room than was asked for' },
  { expected: /^cqe \d+ or more$/, text: 'less room than was asked for' },
  { expected: /^no completion after (IBV_EVENT_CQ_ERR)$/, text: 'completion after $1' },
  {
    expected: /^a packet (?:that has come|beyond PSN \d+ which has arrived)$/,
    text: 'PSN of a packet that has not come',
  },
  {
    expected: /^(?:PSN \d+, or nothing|the next packet, PSN \d+)$/,
    observed: /_|^no packet/,
    text: 'request with another PSN',
  },
  { expected: /^MSN \d+\.\.\d+$/, text: 'another MSN' },
  { expected: /^(?:source|destination) QP (?:0x[0-9a-f]+|\d+)$/, text: 'another QP in the header' },
  { expected: /^(imm_data) \d+$/, observed: /^imm_data undefined$/, text: 'missing $1' },
  { expected: /^entry \d+: P_Key /, text: 'another P_Key' },
  { expected: /^byte \d+ = /, text: 'another byte of payload' },
  { expected: /^(reserved bits of the BTH) 0$/, text: '$1 that are set' },
  { expected: /^the ICRC of its bytes$/, text: 'wrong ICRC' },
  { expected: /^the bytes of the work request$/, text: 'another byte of payload' },
  { expected: /^bad_wr names one of /, text: 'bad_wr names no work request of the list' },
  { expected: /^work request \d+ complete before \d+$/, text: 'a fence that is not kept' },
  {
    expected: /^(?:cnp|alpha-slot|bytes|timer|cut): (rate|target|alpha) /,
    text: 'another $1 of the reaction point',
  },
  { expected: /^the reaction point takes note of the CNP$/, text: 'a CNP without effect' },
  { expected: /^a CNP for the marked packet /, observed: /^a CNP .* after it$/, text: 'a CNP too late' },
  { expected: /^PSN \d+ sent again within 4 T/, text: 'a request sent again too late' },
  { expected: /^payload of no more than /, text: 'more payload than the rate allows' },
  { expected: /^about .* marks\b/, text: 'another share of marked packets' },
  { expected: / a packet of \d+ (forwarded)$/, observed: /^(dropped)$/, text: 'a packet $2 instead of $1' },
];

/** What is wrong in words of its own, where there are some for it. */
export function phraseOf({ expected, observed }: Pick<Failure, 'expected' | 'observed'>): string | undefined {
  for (const phrase of phrases) {
    const wanted = phrase.expected.exec(expected);
    const seen = phrase.observed?.exec(observed);
    if (wanted === null || seen === null) continue;
    return phrase.text.replace('$1', wanted[1] ?? '').replace('$2', seen?.[1] ?? '');
  }
  return undefined;
}
