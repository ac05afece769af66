import { Judge } from '../../../oracle/index.ts';
import type { RuleSet } from '../../../oracle/rules.ts';
import type { TraceHeader } from '../../../oracle/trace.ts';
import type { CaptureJudge } from '../capture-judge.ts';
import { CheckThreads } from './threads.ts';

/** One on as many threads, or on this one. `live`: violations are wanted as they are found. */
export function captureJudge(header: TraceHeader, rules: RuleSet, jobs: number, live: boolean): CaptureJudge {
  if (jobs > 1) return new CheckThreads({ header, live }, rules, jobs);
  const judge = new Judge(header, rules);
  return {
    push: (event) => {
      judge.push(event);
    },
    get violations() {
      return judge.violations;
    },
    room: async () => {},
    finish: async () => judge.finish(),
    stop: async () => {},
  };
}
