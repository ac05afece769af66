import { isAbsent, type Failure } from '../results.ts';
import { join, root, type Node } from './nodes.ts';
import { sideOf } from './symptoms.ts';

const overtaken = /\bwr_id (\d+)(?: first)?$/;
const first = /\bwr_id (\d+)\b/;

/** The status with which a work request overtook another one that never completes; undefined where it does complete, or the finding is another. */
function skippedWith({ expected, observed, ladder }: Failure): string | undefined {
  if (!/^(?:wr_id \d+ first|the completion for )/.test(expected)) return undefined;
  const [[, left], [, other]] = [overtaken.exec(expected) ?? [], first.exec(observed) ?? []];
  if (left === undefined || other === undefined) return undefined;
  const completed = (id: string): string | undefined =>
    ladder
      .map(({ kind, text }) =>
        kind === 'completion' ? new RegExp(`\\bwr_id ${id} (IBV_WC_\\w+)`).exec(text) : null,
      )
      .find((match) => match !== null)?.[1];
  return completed(left) === undefined ? completed(other) : undefined;
}

/**
 * A completion that never comes is missing, also where another one has overtaken it. Where others of the cause come late, the order is what is
 * wrong.
 */
export function joinSkipped(nodes: readonly Node[]): void {
  const late = new Set(
    nodes.filter(({ failure }) => skippedWith(failure) === undefined).map((node) => root(node)),
  );
  for (const node of nodes) {
    const status = skippedWith(node.failure);
    if (status === undefined || late.has(root(node))) continue;
    const missing = nodes.find(
      ({ failure }) =>
        isAbsent(failure.observed) &&
        sideOf(failure) === sideOf(node.failure) &&
        failure.expected.split(' or ')[0]?.includes(status) === true,
    );
    if (missing !== undefined) join(node, missing);
  }
}
