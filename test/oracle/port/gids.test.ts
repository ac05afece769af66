import { describe, expect, it } from 'vitest';
import { VerbsTrace } from '../verbs/trace.ts';

const gid = '00000000000000000000ffff0a000063';
const other = '00000000000000000000ffff0a000001';

/** A port that gets an address or loses it. */
function changed(present = true, trace = new VerbsTrace()): VerbsTrace {
  return trace.add({ kind: 'gid', t: ++trace.t, start: trace.t, gid, present });
}

const told = (trace: VerbsTrace): VerbsTrace => trace.event('IBV_EVENT_GID_CHANGE', { port_num: 1 });
const listing = (trace: VerbsTrace, ...gids: string[]): string[] =>
  trace.call({ call: 'query_gid', gids }).broken();

describe('the GID table', () => {
  it('is said to change when it does, once or for each entry', () => {
    expect(told(changed()).settle().broken()).toEqual([]);
    expect(told(told(changed())).settle().broken()).toEqual([]);
    expect(changed().settle().broken()).toEqual(['gid-change-raised']);
    const back = told(changed(false, told(changed()).settle()));
    expect(back.settle().broken()).toEqual([]);
    expect(changed(false, told(changed()).settle()).settle().broken()).toEqual(['gid-change-raised']);
  });

  it('may be said to change while the address is being changed, also on a machine that stood still', () => {
    const before = (trace: VerbsTrace): VerbsTrace =>
      told(trace).add({ kind: 'gid', t: trace.t + 9, start: 1, gid, present: true });
    expect(before(new VerbsTrace()).settle().broken()).toEqual([]);
    const stalled = new VerbsTrace();
    stalled.t = 5;
    told(stalled)
      .add({ kind: 'stall', t: 6, until: 8 })
      .add({ kind: 'gid', t: 9, start: 1, gid, present: true });
    expect(stalled.settle().broken()).toEqual([]);
  });

  it('is not said to change when it does not', () => {
    expect(told(new VerbsTrace()).settle().broken()).toEqual(['gid-change-undue']);
    expect(told(told(changed()).settle()).settle().broken()).toEqual(['gid-change-undue']);
  });

  it('holds the addresses that the port has, and no other', () => {
    const added = (): VerbsTrace => told(changed()).settle();
    expect(listing(added(), other, gid)).toEqual([]);
    expect(listing(added(), other)).toEqual(['gid-added-listed']);
    const removed = (): VerbsTrace => told(changed(false, added())).settle();
    expect(listing(removed(), other)).toEqual([]);
    expect(listing(removed(), other, gid)).toEqual(['gid-removed-absent']);
  });

  it('may be as before until an event has said so', () => {
    expect(listing(changed(), other)).toEqual([]);
    expect(listing(changed(), other, gid)).toEqual([]);
  });
});
