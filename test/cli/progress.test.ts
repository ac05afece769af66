import { describe, expect, it } from 'vitest';
import { createProgress, progressLine } from '../../cli/progress.ts';

const clear = '\r\u001b[K';

function drawn(terminal: boolean): {
  text: () => string;
  tick: (ms: number) => void;
  progress: ReturnType<typeof createProgress>;
} {
  let text = '';
  let time = 0;
  const progress = createProgress({
    write: (part) => {
      text += part;
    },
    terminal,
    width: 80,
    now: () => time,
  });
  return { text: () => text, tick: (ms) => (time += ms), progress };
}

describe('progress line', () => {
  it('shows cases, rules exercised, failures and time left', () => {
    const state = {
      done: 0.25,
      cases: 1500,
      rulesExercised: 40,
      rulesTotal: 81,
      failures: 2,
      doing: 'rc/psn',
    };
    expect(progressLine(state, 2000, 120)).toBe(
      '25 % | 1,500 cases | 40/81 rules exercised | 2 failures | 6 s left | rc/psn',
    );
    expect(progressLine(state, 2000, 20)).toHaveLength(19);
    expect(progressLine({ cases: 1, failures: 1 }, 0, 120)).toBe('1 case | 1 failure');
  });

  it('is rewritten in place, at most ten times a second, and cleared at the end', () => {
    const { text, tick, progress } = drawn(true);
    progress.update({ cases: 1 });
    progress.update({ cases: 2 });
    tick(100);
    progress.update({ cases: 3 });
    progress.end();
    expect(text()).toBe(`${clear}1 case${clear}3 cases${clear}`);
  });

  it('makes room for a line of log', () => {
    const { text, progress } = drawn(true);
    progress.update({ cases: 1 });
    progress.log('booting the guest');
    expect(text()).toBe(`${clear}1 case${clear}booting the guest\n`);
  });

  it('is not drawn without a terminal; the log is', () => {
    const { text, progress } = drawn(false);
    progress.update({ cases: 1 });
    progress.log('booting the guest');
    progress.end();
    expect(text()).toBe('booting the guest\n');
  });

  it('is a line of the log from time to time, without a terminal', () => {
    const { text, tick, progress } = drawn(false);
    tick(29_000);
    progress.update({ cases: 1 });
    expect(text()).toBe('');
    tick(1000);
    progress.update({ cases: 2, done: 0.5 });
    progress.update({ cases: 3 });
    tick(29_999);
    progress.update({ cases: 4 });
    tick(1);
    progress.update({ cases: 5 });
    progress.end();
    expect(text()).toBe('50 % | 2 cases | 30 s left\n50 % | 5 cases | 1 min 0 s left\n');
  });
});
