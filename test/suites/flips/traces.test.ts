import { describe, expect, it } from 'vitest';
import { isMadeAlone, keptMark, loadTraces } from '../../../suites/flips/traces.ts';
import { loadWitnesses } from '../../../suites/flips/witnesses.ts';

describe('kept traces', () => {
  it('are each named by what they show, and no other is', () => {
    const named = (loadWitnesses() ?? []).map(({ name }) => name).filter((name) => name.startsWith(keptMark));
    expect([...new Set(named)].toSorted()).toEqual([...loadTraces().keys()].toSorted());
  });

  // each further one takes as long as the first, and shows nothing more
  it('show each flip once', () => {
    const times = new Map<string, number>();
    for (const { shows } of loadWitnesses() ?? [])
      for (const key of shows) times.set(key, (times.get(key) ?? 0) + 1);
    expect([...times].filter(([, n]) => n > 2)).toEqual([]);
    expect([...times].filter(([, n]) => n > 1).length).toBeLessThan(times.size / 50);
  });

  it('are small, so that a person can read them', () => {
    const lengths = [...loadTraces().values()].map(({ trace }) => trace.events.length);
    expect(Math.max(...lengths)).toBeLessThan(40);
  });

  it('have names that no case has', () => {
    expect(isMadeAlone('trace:rc-responder-1')).toBe(true);
    expect(isMadeAlone('walk:3')).toBe(true);
    expect(isMadeAlone('rc-responder/send/1/2')).toBe(false);
  });
});
