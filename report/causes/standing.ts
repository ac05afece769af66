import { isAbsent, type Failure } from '../results.ts';
import { join, type Node } from './nodes.ts';
import { sideOf } from './symptoms.ts';

const statuses = (text: string): string => [...new Set(text.match(/\bIBV_WC_\w+/g))].join();

/** A QP that works on after an error. */
function works({ expected, observed }: Failure): boolean {
  return expected === 'state ERR' && /^state (?:RTS|SQD|RTR)$/.test(observed);
}

/** A WQE that such a QP carries out, or keeps, and that should have been flushed. */
function isUnflushed(failure: Failure): boolean {
  const { expected, observed } = failure;
  if (statuses(expected) !== 'IBV_WC_WR_FLUSH_ERR' || /^no\b/.test(expected)) return false;
  return isAbsent(observed) || (statuses(observed) !== 'IBV_WC_WR_FLUSH_ERR' && sideOf(failure) !== '');
}

/**
 * A QP that is not in ERR flushes nothing: the state explains each WQE that was carried out, or has stayed, against a rule of which some
 * exchange shows that state as well.
 */
export function joinUnflushed(nodes: readonly Node[]): void {
  const unflushed = nodes.filter(({ failure }) => isUnflushed(failure));
  for (const node of nodes) {
    if (!works(node.failure)) continue;
    const shows = ({ failure: { also = [] } }: Node): boolean =>
      also.some(({ rule }) => rule === node.failure.rule);
    const rules = new Set(unflushed.filter(shows).map(({ failure }) => failure.rule));
    const own = unflushed.filter(({ failure }) => rules.has(failure.rule));
    if (own.map((other) => join(other, node)).includes(true)) node.explains = true;
  }
}
