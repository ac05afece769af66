import { describe, expect, it } from 'vitest';
import { isMadeAlone, keptMark, loadTraces } from '../../../suites/flips/traces.ts';
import { loadWitnesses } from '../../../suites/flips/witnesses.ts';

describe('kept traces', () => {
  it('are each named by what they show, and no other is', () => {
    const named = (loadWitnesses() ?? []).map(({ name }) => name).filter((name) => name.startsWith(keptMark));
    expect([...new Set(named)].toSorted()).toEqual([...loadTraces().keys()].toSorted());
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
