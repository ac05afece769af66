import { createHash, type Hash } from 'node:crypto';
import type { TraceEvent } from '../../oracle/index.ts';
import type { Judged } from './compare.ts';
import type { Driven } from '../../suites/corpus/drive.ts';
import { canonical } from '../../suites/corpus/same.ts';

function addEvent(hash: Hash, event: TraceEvent): void {
  if (event.kind === 'packet') {
    hash.update(`packet ${event.t} ${event.direction}`);
    hash.update(event.packet.frame);
  } else hash.update(canonical(event));
}

/** 96 bits that tell what a device did and what came of judging it. */
export function digestOf(driven: Driven | undefined, judged: readonly Judged[]): string {
  const hash = createHash('sha1');
  if (driven !== undefined) {
    const { events, ...rest } = driven.drive ?? { events: [] };
    hash.update(canonical({ trouble: driven.trouble ?? null, ...rest }));
    for (const event of events) addEvent(hash, event);
  }
  for (const one of judged) hash.update(canonical(one));
  return hash.digest('base64').slice(0, 16);
}
