import type { Clock } from '../../adapters/adapter.ts';
import type { Step } from '../scenario.ts';
import { sleepFor, waitUntil } from './patience.ts';
import type { Rest } from './rest.ts';
import type { Script } from './packets/script.ts';

export interface WaitOptions {
  clock: Clock;
  rest: Rest;
  /** of all scenarios on the device */
  rests: readonly Rest[];
  script: Script;
  /** takes the completions of the whole DUT */
  drain: () => Promise<number>;
  /** whether the newest send WR of the DUT has completed */
  completed: () => boolean;
}

/** The steps of one scenario that wait, with what the others on the device do meanwhile. */
export class Waits {
  private readonly options: WaitOptions;
  /** looks again whether what a step waits for has come */
  private again: (() => void) | undefined;

  constructor(options: WaitOptions) {
    this.options = options;
  }

  /** Something came that a step may wait for. */
  look(): void {
    this.again?.();
  }

  async forPackets({ packets, us }: Extract<Step, { do: 'await' }>): Promise<void> {
    const { script, drain } = this.options;
    const came = await this.wait(us, async () => {
      // Others complete while this one waits. The trace has to show that at its time.
      if (!this.alone) await drain();
      return script.arrived(packets);
    });
    // What was to come may have failed in its place. The trace has to show that before anything else happens.
    if (!came) await drain();
    script.taken(came ? packets : undefined);
  }

  async forTime(us: number): Promise<void> {
    const { clock, rest, drain } = this.options;
    if (this.alone) return sleepFor(clock, us * 1000, rest.breathe);
    await this.wait(us, async () => {
      await drain();
      return false;
    });
  }

  async forCompletion(us: number): Promise<void> {
    const { drain, completed } = this.options;
    await this.wait(us, async () => {
      await drain();
      return completed();
    });
  }

  /** No other scenario is on the device. */
  private get alone(): boolean {
    return this.options.rests.length === 1;
  }

  private wait(us: number, done: () => boolean | Promise<boolean>): Promise<boolean> {
    const { clock, rest } = this.options;
    const wake = (look: (() => void) | undefined): void => void (this.again = look);
    return waitUntil(clock, us * 1000, done, wake, rest.breathe);
  }
}
