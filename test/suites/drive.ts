import type { Adapter } from '../../adapters/adapter.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import type { TraceEvent } from '../../oracle/index.ts';
import { BenchSession, type DriveResult, type Scenario } from '../../suites/index.ts';

/** Runs one scenario on a bench of its own. */
export async function drive(plan: Scenario, adapter: Adapter = referenceAdapter()): Promise<DriveResult> {
  const bench = await adapter.open({});
  const session = new BenchSession(bench);
  try {
    return await session.run(plan);
  } finally {
    session.close();
    await bench.close();
  }
}

export function packets(
  events: readonly TraceEvent[],
  direction: 'to-dut' | 'from-dut',
): Extract<TraceEvent, { kind: 'packet' }>[] {
  return events.filter((e) => e.kind === 'packet').filter((e) => e.direction === direction);
}

/** Status of every completion, in order, without IBV_WC_. */
export function statuses(events: readonly TraceEvent[]): string[] {
  return events.flatMap((e) => (e.kind === 'completion' ? [e.wc.status.replace('IBV_WC_', '')] : []));
}
