import type { Failure, RuleResult } from '../results.ts';

type Seen = Pick<Failure, 'expected' | 'observed'>;

const status = /\bIBV_WC_(\w+)/;
const none = /^no (?:receive )?completion\b/;
const isFailure = (word: string): boolean => word !== 'SUCCESS' && word.endsWith('_ERR');

/**
 * What a completion means by its status, whatever rule it breaks: success where the work request failed, or where nothing is to be
 * received, deceives software; where the retries were used up, the answer only came too late. An error is known to software, and costs
 * the QP.
 */
function ofCompletion({ expected, observed }: Seen): string | undefined {
  const [, seen] = status.exec(observed) ?? [];
  if (seen === undefined) return undefined;
  const [, wanted] = status.exec(expected) ?? [];
  // behind a completion that was lost, success deceives, and an error says that something is wrong
  if (expected.startsWith('no completion after IBV_EVENT'))
    return seen === 'SUCCESS' ? undefined : 'wrong-report';
  if (seen === 'SUCCESS') {
    const failureDue = wanted !== undefined && isFailure(wanted) && !wanted.endsWith('RETRY_EXC_ERR');
    return failureDue || expected === 'no receive completion' ? 'wrong-data' : undefined;
  }
  if (!isFailure(seen)) return undefined;
  if (wanted === 'SUCCESS' || none.test(expected)) return 'qp-loss';
  return wanted !== undefined && isFailure(wanted) ? 'wrong-report' : undefined;
}

const nak = /\bNAK (.*?)(?: (?:with|of) PSN \d+| msn \d+|$)/;
/** Refusals after which the requester tries again. */
const again = /^(?:PSN sequence error|timer\b)/;

/**
 * A request that must be refused and is refused in another way, or not answered: it read and wrote nothing. Its requester gets another
 * status, tries again, or waits.
 */
function ofRefusal({ expected, observed }: Seen): string | undefined {
  if (!nak.test(expected)) return undefined;
  if (observed === 'no response') return 'hang';
  const [, seen] = nak.exec(observed) ?? [];
  if (seen === undefined) return undefined;
  return again.test(seen) ? 'protocol' : 'wrong-report';
}

/** Impacts of rules about what a request should have brought about, had it not been refused. */
const outweighed: ReadonlySet<string> = new Set(['hang', 'wrong-data', 'protocol']);

/** Whether one refusal that the requester does not try again behind came in the place of another. */
function isOtherRefusal(failure: Seen): boolean {
  const [, due = ''] = nak.exec(failure.expected) ?? [];
  return due !== '' && !again.test(due) && ofRefusal(failure) === 'wrong-report';
}

/**
 * The impact of a finding, by its id: that of its rule, unless what was seen says otherwise. That an error was reported makes a lost
 * message or a hang less grave, and nothing else graver; that a request was refused, or its work request failed, though in another way than it
 * should, means that nothing was read or written without right. Memory that is read or changed all the same breaks a rule of its own.
 */
export function impactOf(failure: Seen, rule: RuleResult | undefined): string | undefined {
  const usual = rule?.impact;
  const shown = ofCompletion(failure);
  if (usual === 'security') {
    const failed = shown === 'wrong-report' || (shown === 'qp-loss' && !none.test(failure.expected));
    return ofRefusal(failure) ?? (failed ? shown : usual);
  }
  if (usual !== undefined && outweighed.has(usual) && isOtherRefusal(failure)) return 'wrong-report';
  if (usual === undefined || shown === undefined) return usual;
  if (shown === 'wrong-data') return usual === 'wrong-report' ? shown : usual;
  return usual === 'wrong-data' || usual === 'hang' ? shown : usual;
}
