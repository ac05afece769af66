import type { CheckViolation } from '../../report/check-results.ts';
import { PcapngFile, type CaptureFrame, type PcapngInterface } from '../../wire/index.ts';
import { oddities } from './connections/oddities.ts';
import type { Reread } from './evidence.ts';

/** Text of the comment on a guilty frame. */
function comment({ rule, level, says, qp, expected, observed }: CheckViolation): string {
  return `${rule} (${level}) is broken, ${qp}\n${says}\nexpected: ${expected}\nobserved: ${observed}`;
}

const nameOf = ({ interfaceName, linktype, interface: index }: CaptureFrame): string =>
  `${interfaceName ?? ''}/${linktype}/${index}`;

/**
 * Writes the capture again as pcapng, each verdict as a comment on the frame that it is about, and why a packet was sent again; what comments
 * it had are kept. `inOrder` gives its frames in the order of time.
 * Frame numbers stay as they are; several captures become one. Gives the number of frames commented. Throws what `fs` throws.
 */
export function annotate(
  reread: Reread,
  inOrder: Reread,
  violations: readonly CheckViolation[],
  file: string,
): number {
  const byFrame = new Map<number, string[]>();
  for (const violation of violations) {
    if (violation.frame === undefined) continue;
    byFrame.set(violation.frame, [...(byFrame.get(violation.frame) ?? []), comment(violation)]);
  }
  for (const [frame, words] of oddities(inOrder()))
    byFrame.set(frame, [...(byFrame.get(frame) ?? []), words]);
  const indices = new Map<string, number>();
  const interfaces: PcapngInterface[] = [];
  for (const record of reread()) {
    if (record.kind === 'damage') continue;
    if (indices.has(nameOf(record))) continue;
    indices.set(nameOf(record), interfaces.length);
    const { interfaceName: name, linktype } = record;
    interfaces.push({ linktype, ...(name !== undefined && { name }) });
  }
  const out = new PcapngFile(file, { interfaces, application: 'rdma-conform' });
  try {
    for (const record of reread()) {
      if (record.kind === 'damage') continue;
      const { time, data, originalLength, comments, number } = record;
      out.append({
        time,
        data,
        originalLength,
        interface: indices.get(nameOf(record)) ?? 0,
        comments: [...comments, ...(byFrame.get(number) ?? [])],
      });
    }
  } finally {
    out.close();
  }
  return byFrame.size;
}
