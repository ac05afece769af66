import type { Adapter } from '../adapters/adapter.ts';
import { loadRules, type Judgement, type RuleSet } from '../oracle/index.ts';
import type { LadderLine } from '../report/results.ts';
import type { ReplayCase } from './case/index.ts';
import { ladder } from './ladder.ts';
import { Executor } from './runner/executor.ts';

export interface ReplayResult {
  case: ReplayCase;
  judgement: Judgement;
  /** whether the rule of the case was violated again */
  reproduced: boolean;
  ladder: LadderLine[];
}

/** Runs one case once, and judges it. Throws an Error that says why where the scenario cannot be run. */
export async function replayCase(
  adapter: Adapter,
  replay: ReplayCase,
  options: { rules?: RuleSet; log?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<ReplayResult> {
  const { rules = loadRules(), ...open } = options;
  const executor = await Executor.open(adapter, rules, open);
  try {
    const outcome = await executor.run(replay.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { judgement, drive } = outcome;
    const violation = judgement.violations.find((v) => v.rule === replay.rule);
    return {
      case: replay,
      judgement,
      reproduced: violation !== undefined,
      ladder: ladder(drive.events, violation ?? judgement.violations[0]),
    };
  } finally {
    await executor.close();
  }
}
