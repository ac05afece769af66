import type { Clock, Profile } from '../../adapters/adapter.ts';
import type { PathSwitch } from '../../adapters/switch/index.ts';
import type { FaultWire } from '../../adapters/fault-wire/index.ts';
import { longestFrame } from '../../wire/index.ts';
import type { Wc } from '../../spec/verbs.ts';
import type { End } from './setup/end.ts';
import type { Breath } from './patience.ts';
import type { Recorder } from './recorder.ts';
import type { Script } from './packets/script.ts';
import { settle } from './settle.ts';
import type { StallMeter } from './stall.ts';

/** Part of the response time within which the packets of a burst follow each other. */
const burstPart = 0.5;

const settleRounds = { virtual: 4000, real: 60 };

export interface RestOptions {
  clock: Clock;
  profile: Profile;
  stall: StallMeter | undefined;
  failure: (() => Error | undefined) | undefined;
  wire: FaultWire | undefined;
  /** the switch on the path, once there is one */
  path: () => PathSwitch | undefined;
  recorder: Recorder;
  script: Script;
  /** takes the DUT's completions; gives their number */
  drain: () => Promise<number>;
  breathe: Breath;
  /** a live requester whose work is to be waited for */
  peer: () => End | undefined;
  /** whether the DUT has work under way that only its completion shows */
  unseenWork: () => boolean;
  /** that work was waited for as long as any may take: the next rest does not wait for it again */
  giveUp: () => void;
  /** of all scenarios on the device, this one included: the device is at rest where all are */
  all: readonly Rest[];
}

/** Knows when something last happened at the DUT for one scenario, and waits until nothing more is to be expected of the DUT. */
export class Rest {
  /** completions at a live peer */
  readonly peerCompletions: Wc[] = [];
  readonly breathe: Breath;
  /** signaled work requests of a live peer */
  peerWork = 0;
  /** true if something was done to the DUT since it last came to rest */
  unsettled = false;
  private readonly options: RestOptions;
  private activity = 0;
  /** rate that the DUT is limited to, bits per second, and until when it may keep the next packet back */
  private rate = Infinity;
  private heldUntil = -Infinity;

  constructor(options: RestOptions) {
    this.options = options;
    this.breathe = options.breathe;
  }

  /** Something came from the DUT. */
  active(): void {
    this.activity = this.options.clock.now();
  }

  /**
   * A packet came from the DUT. Of a requester it may have been a timer's doing, which is not to be waited for beyond the
   * rest of the burst that the packet belongs to.
   */
  left(): void {
    this.heldUntil = this.options.clock.now() + (longestFrame * 8e9) / this.rate;
  }

  /** The DUT sends at this rate from now on, bits per second. */
  paced(rate: number): void {
    const now = this.options.clock.now();
    if (this.heldUntil > now && Number.isFinite(this.rate))
      this.heldUntil = now + ((this.heldUntil - now) * this.rate) / Math.min(rate, this.rate);
    this.rate = rate;
  }

  /** A CNP is on its way to the DUT. */
  notified(): void {
    const rate = untoldRate(this.options.profile);
    if (rate === undefined) return;
    this.rate = rate;
    this.left();
  }

  /** Something was done to the DUT that it may answer. */
  touch(): void {
    this.active();
    this.unsettled = true;
  }

  /** Waits and notes in the trace that the DUT has come to rest, or why that could not be seen. */
  async settle(): Promise<void> {
    const { clock, profile, stall, failure, path, recorder, script, drain, breathe, all } = this.options;
    const { responseTime } = profile;
    for (let round = 0; ; round++) {
      const lastActivity = (): number =>
        all.reduce((last, rest) => Math.max(last, rest.lastActivity(responseTime)), -Infinity);
      const trouble = await settle({ clock, responseTime, stall, failure, lastActivity, drain, breathe });
      if (trouble !== undefined) {
        recorder.push({ kind: 'gap', t: recorder.stamp(), reason: trouble });
        break;
      }
      const held = all.flatMap(({ options: { wire } }) => (wire?.pending === true ? [wire] : []));
      if (held.length > 0) {
        for (const wire of held) wire.flush();
        if (round < settleRounds[clock.kind]) continue;
      }
      if (path()?.pending === true && round < settleRounds[clock.kind]) {
        await clock.sleep(responseTime);
        continue;
      }
      if (!(await this.workLeft())) break;
      if (round >= settleRounds[clock.kind]) {
        this.options.giveUp();
        break;
      }
      const quiet = quietRounds(clock, responseTime, settleRounds[clock.kind] - round - 1);
      if (quiet > 0) await clock.sleep(quiet * responseTime);
      round += quiet;
    }
    this.unsettled = false;
    script.taken();
    recorder.push({ kind: 'settled', t: recorder.stamp() });
  }

  /** Whether something was done to the DUT, by any of the scenarios on it, since that one last came to rest. */
  get anyUnsettled(): boolean {
    return this.options.all.some(({ unsettled }) => unsettled);
  }

  private lastActivity(responseTime: number): number {
    return Math.max(this.activity, this.heldUntil - responseTime * (1 - burstPart));
  }

  /** Work requests of a live requester that may still complete. */
  private async workLeft(): Promise<boolean> {
    const peer = this.options.peer();
    if (peer === undefined) return this.options.unseenWork();
    for (;;) {
      const more = await peer.verbs.poll_cq(peer.sendCq, 32);
      this.peerCompletions.push(...more);
      if (more.length === 0) break;
    }
    const failed = this.peerCompletions.some((wc) => wc.status !== 'IBV_WC_SUCCESS');
    return !failed && this.peerCompletions.length < this.peerWork;
  }
}

/** The least rate, bits per second, of a device that limits QPs and does not report it; `undefined` where it reports or names none. */
function untoldRate({ capabilities, congestion }: Profile): number | undefined {
  if (!capabilities.includes('dcqcn') || capabilities.includes('rate-reports')) return undefined;
  return congestion?.dcqcn?.minRate;
}

/** Rounds of a response time in which no timer of a virtual clock fires, so that they need not be gone through. */
function quietRounds(clock: Clock, responseTime: number, most: number): number {
  if (clock.nextTimer === undefined) return 0;
  const due = clock.nextTimer();
  return due === undefined ? most : Math.min(most, Math.ceil((due - clock.now()) / responseTime) - 1);
}
