import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostPair } from '../../../oracle/reliable/host-pair.ts';
import type { Responder } from '../../../oracle/reliable/host-pair.ts';
import { psnDiff } from '../../../wire/psn.ts';

/** Responders that count how often one of them is looked at. */
function counting(psns: readonly number[]): {
  pair: HostPair<Responder>;
  all: Responder[];
  looks: () => number;
} {
  let looks = 0;
  const pair = new HostPair<Responder>();
  const all = psns.map((first, number) => {
    let newest = first;
    const responder: Responder = {
      peer: undefined,
      fits: 0,
      fitted: -1,
      began: 0,
      last: 0,
      get newestPsn() {
        looks++;
        return newest;
      },
      set newestPsn(psn) {
        newest = psn;
      },
    };
    pair.add(number, responder);
    return responder;
  });
  return { pair, all, looks: () => looks };
}

describe('the responders between two addresses', () => {
  const psns = fc.oneof(fc.nat(0xffffff), fc.nat(20_000), fc.integer({ min: 0xfff000, max: 0xffffff }));

  it('finds the only one whose PSNs a response fits, as a look at all of them would', () => {
    fc.assert(
      fc.property(fc.array(psns, { maxLength: 8 }), psns, (newest, psn) => {
        const { pair, all } = counting(newest);
        const fit = all.filter(({ newestPsn }) => {
          const behind = psnDiff(newestPsn, psn);
          return behind < 4096 && behind > -8192;
        });
        const { only, several } = pair.answerer(0x800000, psn);
        expect(only).toBe(fit.length === 1 ? fit[0] : undefined);
        expect(several).toBe(fit.length > 1);
      }),
    );
  });

  it('follows the PSNs of requests', () => {
    fc.assert(
      fc.property(psns, psns, (first, next) => {
        const { pair, all } = counting([first]);
        const [one] = all;
        if (one === undefined) return;
        pair.requested(one, next);
        expect(pair.answerer(0x800000, next).only).toBe(one);
      }),
    );
  });

  const many = 20_000;
  it.each([
    ['they all begin at one PSN', (): number => 0],
    ['they all lie just outside of what a response may answer', (): number => 4095],
    ['they are spread', (i: number): number => (i * 7919) & 0xffffff],
  ])('takes no more steps for many of them where %s', (_, psnOf) => {
    const { pair, looks } = counting(Array.from({ length: many }, (__, i) => psnOf(i)));
    const before = looks();
    for (let peer = 0; peer < 100; peer++) pair.answerer(0x800000 + peer, 4095 + 8192);
    expect((looks() - before) / 100).toBeLessThan(1100);
  });

  it('does not search for one whose QP is known', () => {
    const { pair, looks } = counting(Array.from({ length: 3000 }, (_, i) => (i * 16_384) & 0xffffff));
    const { only } = pair.answerer(0x800000, 16_384);
    const before = looks();
    expect(pair.answerer(0x800000, 16_385).only).toBe(only);
    expect(looks() - before).toBeLessThan(4);
  });
});
