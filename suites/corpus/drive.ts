import type { Adapter } from '../../adapters/index.ts';
import type { BenchSession, DriveResult } from '../driver/index.ts';
import type { Scenario } from '../scenario.ts';

/** What a scenario came to on a device. */
export interface Driven {
  /** absent where the harness broke */
  drive?: DriveResult;
  /** why it ended early */
  trouble?: string;
}

function carriesDrive(error: unknown): error is { drive: DriveResult } {
  return typeof error === 'object' && error !== null && 'drive' in error;
}

/** Name and message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Runs a scenario on a fresh device. `BenchSession`: of the build that the device is of. */
export async function drive(
  build: { BenchSession: typeof BenchSession },
  adapter: Adapter,
  scenario: Scenario,
): Promise<Driven> {
  const bench = await adapter.open({});
  const session = new build.BenchSession(bench);
  try {
    return { drive: await session.run(scenario) };
  } catch (error) {
    // a set-up that was refused and a death have their trace as well
    return { trouble: messageOf(error), ...(carriesDrive(error) && { drive: error.drive }) };
  } finally {
    session.close();
    await bench.close();
  }
}
