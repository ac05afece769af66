import type { Adapter, Profile } from '../adapters/adapter.ts';
import { loadRules, type Judgement, type RuleSet } from '../oracle/index.ts';
import { callback, checkOptions, type OptionKinds } from '../oracle/options.ts';
import type { LadderLine } from '../report/results.ts';
import { parseScenario, type ReplayCase } from './case/index.ts';
import { ladder } from './ladder.ts';
import { Executor } from './runner/executor.ts';
import { checkAdapter, commonKinds } from './runner/options.ts';
import { signatureOf } from './runner/signature.ts';

/** What replaying a case gave. */
export interface ReplayResult {
  case: ReplayCase;
  /** of the device, as it was once it was opened */
  profile: Profile;
  judgement: Judgement;
  /** whether the rule of the case was violated again */
  reproduced: boolean;
  /** the exchange, with the violation marked that the case is about, or else the first one */
  ladder: LadderLine[];
  /** of each violation, in their order: what tells it from other findings of its rule */
  signatures: string[];
  /** of each violation, in their order: the exchange, with this violation marked */
  ladders: LadderLine[][];
}

/** What `replayCase` takes beside the case. */
export interface ReplayOptions {
  /** rule set to judge by; default: the package's own */
  rules?: RuleSet;
  /** one line of progress for people */
  log?: (line: string) => void;
  signal?: AbortSignal;
}

const kinds: OptionKinds<ReplayOptions> = {
  rules: commonKinds.rules,
  log: callback,
  signal: commonKinds.signal,
};

/**
 * Runs one case once, and judges it. Throws CaseError for what is no scenario, TypeError for an option that is unknown or of another
 * kind, and an Error that says why if the scenario cannot be run.
 */
export async function replayCase(
  adapter: Adapter,
  replay: ReplayCase,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  checkAdapter(adapter, 'replayCase');
  checkOptions(options, kinds, 'replayCase');
  const { rules = loadRules(), ...open } = options;
  if (typeof replay !== 'object') throw new TypeError('replayCase takes a case, as readCase gives it');
  const scenario = parseScenario(replay.scenario);
  const executor = await Executor.open(adapter, rules, open);
  try {
    const outcome = await executor.run(scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { judgement, drive } = outcome;
    const signatures = judgement.violations.map((v) => signatureOf(v, drive.events));
    const ofRule = judgement.violations.filter((v) => v.rule === replay.rule);
    const violation =
      ofRule.find((v) => signatures[judgement.violations.indexOf(v)] === replay.signature) ?? ofRule[0];
    return {
      case: replay,
      profile: executor.profile,
      judgement,
      reproduced: violation !== undefined,
      ladder: ladder(drive.events, violation ?? judgement.violations[0], drive),
      signatures,
      ladders: judgement.violations.map((each) => ladder(drive.events, each, drive)),
    };
  } finally {
    await executor.close();
  }
}
