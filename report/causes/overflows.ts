import { isAbsent, type Failure } from '../results.ts';
import { join, type Node } from './nodes.ts';

function entriesOf(scenario: unknown): number | undefined {
  const cqe: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, 'cqe') : undefined;
  return typeof cqe === 'number' ? cqe : undefined;
}

/** Completions are missing where a CQ was full, and no event said that it has overflowed. */
function isLostUnsaid({ scenario, ladder, expected, observed }: Failure): boolean {
  const entries = entriesOf(scenario);
  if (entries === undefined || expected.startsWith('IBV_EVENT_') || !isAbsent(observed)) return false;
  const came = ladder.filter(({ kind }) => kind === 'completion').length;
  return came >= entries && !ladder.some(({ text }) => text.includes('IBV_EVENT_CQ_ERR'));
}

/** What a CQ has lost silently is one defect, whichever completion it was; it is explained if no event reports it. */
export function joinOverflows(nodes: readonly Node[]): void {
  const silent = nodes.filter(
    ({ failure: { expected, observed } }) =>
      expected === 'IBV_EVENT_CQ_ERR' && observed.endsWith(' did not come'),
  );
  const [first] = silent;
  if (first === undefined) return;
  for (const node of nodes) if (isLostUnsaid(node.failure)) join(node, first);
  for (const node of silent) node.explains = true;
}
