import type { Cause } from '../causes/causes.ts';
import { whatIsWrong } from '../causes/text.ts';
import type { Failure } from '../results.ts';
import { occasionOf } from '../causes/occasion.ts';

/** Values that take more than this are left to the text. */
const longest = 60;
/** Those who list mail cut what is much longer. */
const longestSubject = 90;

/** Names of causes that only say that something is another one. */
const vague = /^another |\bwith another opcode$| beyond /;

/** The two values in one phrase: "max_rd_atomic 128 instead of 123"; undefined where the words around them differ. */
function values({ expected, observed }: Failure): string | undefined {
  const [, what, wanted] = /^(.*) = (\S+)$/.exec(expected) ?? [];
  if (what !== undefined && wanted !== undefined && !/\s/.test(observed))
    return `${what} is ${observed} instead of ${wanted}`;
  const [due, seen] = [expected, observed].map(
    (text) => /^(?:(?:RC|UC|UD)[ _])?([A-Z]+(?:_[A-Z]+)+)\b/.exec(text)?.[1],
  );
  if (due !== undefined && seen !== undefined && due !== seen) return `${seen} instead of ${due}`;
  const at = /\S+$/.exec(expected);
  const start = at === null ? '' : expected.slice(0, at.index);
  if (start !== '' && observed.startsWith(start) && at !== null) return `${observed} instead of ${at[0]}`;
  return undefined;
}

/** The name of a cause without what only tells it from others of its rule: the occasion says what software had done. */
function plainName(cause: Cause, { signature = '' }: Failure): string {
  const name = whatIsWrong(cause);
  return name.endsWith(`: ${signature}`) ? name.slice(0, -signature.length - 2) : name;
}

/** What is wrong, with the values of the case where its name only says that they differ. */
function briefly(cause: Cause, lead: Failure): string {
  const name = plainName(cause, lead).replace(/^missing /, 'no ');
  const told = vague.test(name) ? values(lead) : undefined;
  return told !== undefined && told.length <= longest ? told : name;
}

/** What is wrong, and on what occasion it shows. */
export function defectOf(cause: Cause, lead: Failure): string {
  const defect = briefly(cause, lead);
  return `${defect}${occasionOf(lead, defect)}`;
}

/** The same, with the occasion where that is short. */
export function subjectOf(cause: Cause, lead: Failure): string {
  const whole = defectOf(cause, lead);
  return whole.length <= longestSubject ? whole : briefly(cause, lead);
}
