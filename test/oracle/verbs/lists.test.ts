import { describe, expect, it } from 'vitest';
import { VerbsTrace } from './trace.ts';

class Listed extends VerbsTrace {
  constructor(capabilities = ['wr-lists']) {
    super({ service: 'UD', room: 4, packets: 'none', capabilities });
  }

  /** One call posts them all, or those in front of the one that `bad_wr` names. */
  list(wrIds: number[], refused?: { bad_wr?: number }): this {
    const wrs = wrIds.map((wr_id) => ({ wr_id, sg_list: [] }));
    const { bad_wr } = refused ?? {};
    const taken = refused === undefined ? wrs : wrs.slice(0, bad_wr ?? 0);
    for (const wr of taken) this.call({ call: 'post_recv', qp: 1, wr, listed: true });
    const [first] = wrs;
    const wr = wrs[bad_wr ?? 0] ?? first;
    if (refused === undefined || wr === undefined) return this;
    return this.add({
      kind: 'call-failed',
      t: this.t,
      start: this.t,
      call: 'post_recv',
      qp: 1,
      errno: 12,
      attempted: { call: 'post_recv', qp: 1, wr },
      list: { wr_ids: wrIds, ...refused },
    });
  }
}

const traced = (): Listed => new Listed();
const full = (): Listed => traced().list([1, 2, 3, 4, 5, 6], { bad_wr: 4 });

describe('a list of work requests', () => {
  it('is posted as a whole', () => {
    expect(traced().list([1, 2]).enter('ERR').flush(1, 2).settle().broken()).toEqual([]);
    expect(traced().list([1, 2]).enter('ERR').flush(1).settle().broken()).toContain('wr-list-posted');
  });

  it('is posted up to the work request that bad_wr names', () => {
    expect(full().enter('ERR').flush(1, 2, 3, 4).settle().broken()).toEqual([]);
    expect(full().enter('ERR').flush(1, 2, 3).settle().broken()).toContain('wr-list-posted');
    expect(full().enter('ERR').flush(1, 2, 3, 4, 5).settle().broken()).toEqual(['wr-list-refused']);
    expect(full().enter('ERR').flush(1, 2, 3, 4, 6).settle().broken()).toEqual(['wr-list-stops']);
    const { exercised } = full().judge();
    expect([exercised.get('wr-list-posted'), exercised.get('wr-list-stops')]).toEqual([4, 1]);
  });

  it('is refused by the name of one of them', () => {
    expect(traced().list([1, 2], {}).broken()).toEqual(['wr-list-named']);
    expect(full().judge().exercised.get('wr-list-named')).toBe(1);
  });

  it('may be posted anew', () => {
    const again = full().enter('ERR').flush(1, 2, 3, 4).settle().list([5, 6]);
    expect(again.flush(5, 6).settle().broken()).toEqual([]);
  });

  it('is judged of a device alone that declares to take lists', () => {
    expect(new Listed([]).list([1, 2], {}).broken()).toEqual([]);
  });
});
