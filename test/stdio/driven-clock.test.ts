import { describe, expect, it } from 'vitest';
import type { AgentClient } from '../../adapters/agent/client.ts';
import { DrivenClock } from '../../adapters/stdio/driven-clock.ts';

interface Device {
  clock: DrivenClock;
  told: number[];
  /** why the device was given up */
  failures: string[];
}

type Answer = { now: number; next: number | null };

/** A clock whose device moves on as `advance` says; `send` inside it stands for a frame that leaves. */
function drive(advance: (to: number, send: (what: string) => void) => Answer, log: string[] = []): Device {
  const told: number[] = [];
  const failures: string[] = [];
  const answers = async (_name: string, { to }: { to: number }): Promise<Answer> => {
    told.push(to);
    await Promise.resolve();
    return advance(to, (what) => clock.came(() => log.push(`${what} at ${clock.now()}`)));
  };
  const client: Pick<AgentClient, 'call' | 'fail'> = {
    call: answers as unknown as AgentClient['call'],
    fail: (reason) => {
      failures.push(reason);
      throw new Error(reason);
    },
  };
  const clock: DrivenClock = new DrivenClock(client as AgentClient);
  return { clock, told, failures };
}

/** A device with one timer, which sends when it fires and is set again for `period` later. */
function ticking(period: number, log: string[]): Device {
  let due = period;
  return drive((to, send) => {
    if (due > to) return { now: to, next: due };
    const now = due;
    due += period;
    send('frame');
    return { now, next: due };
  }, log);
}

describe('virtual time shared with a device', () => {
  it('runs timers of both sides in one order', async () => {
    const log: string[] = [];
    const { clock } = ticking(300, log);
    for (const ns of [250, 300, 700]) clock.setTimer(ns, () => log.push(`timer at ${clock.now()}`));
    await clock.sleep(650);
    expect(log).toEqual(['timer at 250', 'timer at 300', 'frame at 300', 'frame at 600']);
    expect(clock.now()).toBe(650);
    await clock.sleep(50);
    expect(log.at(-1)).toBe('timer at 700');
  });

  it('bothers a device only when it has something to do', async () => {
    const { clock, told } = drive((to) => ({ now: to, next: 1_000_000 }));
    await clock.sleep(10);
    for (let i = 0; i < 100; i++) await clock.sleep(1000);
    expect(told).toEqual([10]);
    clock.beforeCall('poll_cq');
    expect(told).toEqual([10, 100_010]);
    clock.beforeCall('poll_cq');
    expect(told).toHaveLength(2);
  });

  it('asks anew after a call that may set a timer, and tells of none before', async () => {
    const { clock, told } = drive((to) => ({ now: to, next: null }));
    await clock.sleep(10);
    expect(clock.nextTimer()).toBeUndefined();
    clock.beforeCall('post_send');
    expect(clock.nextTimer()).toBe(11);
    await clock.sleep(5);
    expect(told).toEqual([10, 15]);
    expect(clock.nextTimer()).toBeUndefined();
  });

  it('counts in whole nanoseconds, and always goes on', async () => {
    const { clock, told } = drive((to) => ({ now: to, next: null }));
    await clock.sleep(0.25);
    expect(clock.now()).toBe(1);
    let fired = 0;
    clock.setTimer(2.5, () => (fired = clock.now()));
    await clock.sleep(10);
    expect(fired).toBe(4);
    expect(told.every(Number.isInteger)).toBe(true);
  });

  it('waits for frames on their way before it moves on', async () => {
    const { clock } = drive((to) => ({ now: to, next: null }));
    let arrived = false;
    clock.delivering(
      new Promise((resolve) =>
        setTimeout(() => {
          arrived = clock.now() === 0;
          resolve(undefined);
        }, 5),
      ),
    );
    await clock.sleep(100);
    expect(arrived).toBe(true);
  });

  it.each<[string, (to: number, send: (what: string) => void) => Answer, RegExp]>([
    ['runs ahead', (to) => ({ now: to + 1, next: null }), /went on to/],
    ['goes back', () => ({ now: -1, next: null }), /went back to/],
    ['stops for no reason', (to) => ({ now: to - 1, next: null }), /although nothing was sent/],
    ['has a timer in the past', (to) => ({ now: to, next: 3 }), /is before/],
    [
      'sends for ever',
      (_to, send) => {
        send('frame');
        return { now: 0, next: 0 };
      },
      /sends without end/,
    ],
  ])('gives up a clock that %s', async (_, advance, why) => {
    const { clock, failures } = drive(advance);
    await expect(clock.sleep(100)).rejects.toThrow(why);
    expect(failures).toHaveLength(1);
  });

  it('gives up a device that sends before the timer that it spoke of', async () => {
    let calls = 0;
    const { clock } = drive((to, send) => {
      if (++calls === 1) return { now: to, next: 500 };
      send('frame');
      return { now: 400, next: null };
    });
    await clock.sleep(100);
    await expect(clock.sleep(1000)).rejects.toThrow(/sent at 400, but the next timer was to fire at 500/);
  });
});
