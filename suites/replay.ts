import type { Adapter } from '../adapters/adapter.ts';
import { loadRules, type Judgement, type RuleSet } from '../oracle/index.ts';
import type { LadderLine } from '../report/results.ts';
import type { ReplayCase } from './case/index.ts';
import { ladder } from './ladder.ts';
import { Executor } from './runner/executor.ts';
import { signatureOf } from './runner/signature.ts';

/** What replaying a case gave. */
export interface ReplayResult {
  case: ReplayCase;
  judgement: Judgement;
  /** whether the rule of the case was violated again */
  reproduced: boolean;
  ladder: LadderLine[];
  /** of each violation, in their order: what tells it from other findings of its rule */
  signatures: string[];
}

/** What `replayCase` takes beside the case. */
export interface ReplayOptions {
  /** rule set to judge by; default: the package's own */
  rules?: RuleSet;
  /** one line of progress for people */
  log?: (line: string) => void;
  signal?: AbortSignal;
}

/** Runs one case once, and judges it. Throws an Error that says why where the scenario cannot be run. */
export async function replayCase(
  adapter: Adapter,
  replay: ReplayCase,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const { rules = loadRules(), ...open } = options;
  const executor = await Executor.open(adapter, rules, open);
  try {
    const outcome = await executor.run(replay.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { judgement, drive } = outcome;
    const signatures = judgement.violations.map((v) => signatureOf(v, drive.events));
    const ofRule = judgement.violations.filter((v) => v.rule === replay.rule);
    const violation =
      ofRule.find((v) => signatures[judgement.violations.indexOf(v)] === replay.signature) ?? ofRule[0];
    return {
      case: replay,
      judgement,
      reproduced: violation !== undefined,
      ladder: ladder(drive.events, violation ?? judgement.violations[0], drive),
      signatures,
    };
  } finally {
    await executor.close();
  }
}
