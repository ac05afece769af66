import { isAbsent, type Failure } from '../results.ts';
import type { Node } from './nodes.ts';
import { isRequest } from './packets.ts';

interface Step {
  readonly do?: unknown;
  readonly packet?: { readonly psn?: { readonly offset?: unknown } };
}

function stepsOf(scenario: unknown): readonly Step[] {
  const steps: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, 'steps') : undefined;
  return Array.isArray(steps) ? steps : [];
}

const isSent = (step: Step): boolean => step.do === 'inject' || step.do === 'reinject';

/** A request that the responder has executed already. */
function isDuplicate(step: Step): boolean {
  const offset = step.do === 'inject' ? step.packet?.psn?.offset : undefined;
  return step.do === 'reinject' || (typeof offset === 'number' && offset < 0);
}

const refusal = /^(?:NAK PSN sequence error\b|RC ACKNOWLEDGE .*\bNAK PSN sequence error\b)/;
const grant =
  /^(?:Acknowledge of|ATOMIC Acknowledge with|RDMA_READ_RESPONSE_\w+ with|completion of receive wr_id \d+ with IBV_WC_SUCCESS)/;

/**
 * Whether a responder goes by another PSN than it should: a sound request has no answer, or a NAK for a gap, or an answer by another PSN;
 * or the PSN that it names as the one it expects, or as the newest, is another.
 */
function expectsAnother({ expected, observed }: Failure): boolean {
  const [wanted, seen] = [expected, observed].map((text) => /\bpsn (\d+)\b/i.exec(text)?.[1]);
  const isOther = wanted !== undefined && seen !== undefined && wanted !== seen;
  if (grant.test(expected)) return isAbsent(observed) || refusal.test(observed) || isOther;
  return isOther && (refusal.test(expected) || expected.endsWith('(newest executed)'));
}

/**
 * A duplicate that nothing shows without, and after which the responder expects another PSN: that is one defect, whichever later request
 * shows it.
 */
export function leftBehindOf({ failure, rule }: Node): string[] {
  const requests = stepsOf(failure.scenario).filter(isSent);
  const isBehind = failure.unshrunk !== true && requests.slice(0, -1).some(isDuplicate);
  const machine = rule?.location?.file.split('/').at(-2);
  return isBehind && machine === 'rc-responder' && expectsAnother(failure) ? ['behind a duplicate'] : [];
}

const counter = /^(?:retry_cnt|rnr_retry) of the requester$/;

/**
 * A request where none may be sent any more, and that only shows with certain values of a retry counter: how retries are counted is one
 * defect, whichever rule forbids the one too many.
 */
export function countersOf({ failure: { influences = [], unshrunk, expected, observed } }: Node): string[] {
  if (unshrunk === true || !isRequest(observed) || !/^no (?:further retry|request)\b/.test(expected))
    return [];
  return influences.flatMap(({ what, kept }) => (counter.test(what) && kept.length > 0 ? [what] : []));
}
