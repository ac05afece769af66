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

/**
 * A duplicate that nothing shows without, and that is not what the last request is: what it leaves behind is one defect, whichever later
 * request shows it.
 */
export function leftBehindOf({ failure: { scenario, unshrunk }, rule }: Node): string[] {
  const requests = stepsOf(scenario).filter(isSent);
  const isBehind = unshrunk !== true && requests.slice(0, -1).some(isDuplicate);
  const machine = rule?.location?.file.split('/').at(-2);
  return isBehind && machine === 'rc-responder' ? ['behind a duplicate'] : [];
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
