import type { Profile } from '../../../adapters/adapter.ts';
import type { Scenario } from '../../scenario.ts';
import type { CaseOutcome, CaseRunner, CleanOutcome } from './case-runner.ts';

interface Member {
  runner: CaseRunner;
  /** scenarios that it was given and has not given back */
  busy: number;
  /** its device is gone */
  lost: boolean;
}

/** Several runners as one: each scenario goes to the one that has least to do. */
export class Pool implements CaseRunner {
  readonly profile: Profile;
  readonly concurrency: number;
  private readonly members: readonly Member[];
  private readonly closed: () => void;
  private readonly waiting: ((member: Member) => void)[] = [];

  /**
   * `concurrency`: more than the runners take at a time keeps them busy where one case takes long. `closed` is called when all of
   * them have been closed.
   */
  constructor(
    runners: readonly CaseRunner[],
    {
      profile,
      concurrency,
      closed = () => undefined,
    }: { profile: Profile; concurrency: number; closed?: () => void },
  ) {
    this.members = runners.map((runner) => ({ runner, busy: 0, lost: false }));
    this.profile = profile;
    this.concurrency = concurrency;
    this.closed = closed;
  }

  get devices(): number {
    return this.members.length;
  }

  get unexplainedDeath(): string | undefined {
    return this.members.map(({ runner }) => runner.unexplainedDeath).find((death) => death !== undefined);
  }

  async run(scenario: Scenario): Promise<CaseOutcome | CleanOutcome> {
    const member = this.free() ?? (await new Promise<Member>((take) => this.waiting.push(take)));
    try {
      const outcome = await member.runner.run(scenario);
      member.lost ||= outcome.kind === 'error' && outcome.fatal;
      return outcome;
    } finally {
      const next = this.among.includes(member) ? this.waiting.shift() : undefined;
      if (next === undefined) member.busy--;
      else next(member);
    }
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.members.map(({ runner }) => runner.close()));
    this.closed();
    for (const end of closed) if (end.status === 'rejected') throw end.reason;
  }

  /** Those that a scenario may be given to: where all are lost, any says so. */
  private get among(): readonly Member[] {
    const alive = this.members.filter(({ lost }) => !lost);
    return alive.length > 0 ? alive : this.members;
  }

  /** The one with least to do, if it takes one more; that one is given to it. */
  private free(): Member | undefined {
    const idle = this.among.filter(({ runner, busy }) => busy < runner.concurrency);
    const [least] = idle.toSorted((a, b) => a.busy - b.busy);
    if (least !== undefined) least.busy++;
    return least;
  }
}
