import { describe, expect, it } from 'vitest';
import { referenceAdapter, type MutantId } from '../../../adapters/reference/index.ts';
import { judgeTrace, loadRules, type TraceEvent } from '../../../oracle/index.ts';
import { asMember } from '../../../suites/beside.ts';
import { at, inject, packet, recv, settle } from '../../../suites/arbitraries/packets.ts';
import { unreliableScenario } from '../../../suites/arbitraries/unreliable.ts';
import type { Scenario, Step } from '../../../suites/scenario.ts';
import { drive } from '../drive.ts';

const rules = loadRules();
const chosen = { ip: 4, mtu: 256, startPsn: 7, srq: true } as const;
const room = 1024;
const part = { payload: { mtus: 1, bytes: 0 } };
const first = inject(packet('SEND_FIRST', part));
const last = inject(packet('SEND_LAST', { payload: { mtus: 0, bytes: 8 } }));
const only = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } }));
/** behind a packet that was lost */
const behindGap = inject(at(packet('SEND_LAST', { payload: { mtus: 0, bytes: 8 } }), 1));

/** A UC QP and a UD QP on one SRQ; `order`: 0 is the UC QP. */
function beside(uc: Step[], ud: Step[], order: number[] = []): Scenario {
  const one = unreliableScenario('UC', 'responder', chosen, { steps: uc });
  const other = asMember(unreliableScenario('UD', 'responder', chosen, { steps: ud }));
  return { ...one, beside: { members: [other], order, share: ['srq'] } };
}

type Change = (events: readonly TraceEvent[]) => readonly TraceEvent[];

async function broken(
  plan: Scenario,
  change: Change = (events) => events,
  mutant?: MutantId,
): Promise<string[]> {
  const { header, events } = await drive(plan, referenceAdapter(mutant === undefined ? {} : { mutant }));
  const { violations } = judgeTrace(header, change(events), rules);
  return [...new Set(violations.map(({ rule }) => rule))];
}

/** The n-th completion, changed or left out. */
function completion(n: number, change: (wrId: number, all: readonly number[]) => number | undefined): Change {
  return (events) => {
    const ids = events.flatMap((event) => (event.kind === 'completion' ? [event.wc.wr_id] : []));
    let seen = 0;
    return events.flatMap((event): TraceEvent[] => {
      if (event.kind !== 'completion' || seen++ !== n) return [event];
      const id = change(event.wc.wr_id, ids);
      return id === undefined ? [] : [{ ...event, wc: { ...event.wc, wr_id: id } }];
    });
  };
}

describe('UC and UD QPs on one SRQ', () => {
  const both = beside([recv(room), first, last], [recv(room), only], [0, 1, 0, 1, 0]);

  it('take a receive WQE each, whichever comes first', async () => {
    expect(await broken(both)).toEqual([]);
    // the device may have given them out the other way round
    const swapped = (events: readonly TraceEvent[]): readonly TraceEvent[] => {
      const [a, b] = events.flatMap((event) => (event.kind === 'completion' ? [event.wc.wr_id] : []));
      return completion(0, () => b)(completion(1, () => a)(events));
    };
    const names = (events: readonly TraceEvent[]): TraceEvent[] =>
      events.filter(({ kind }) => kind !== 'memory');
    expect(await broken(both, (events) => names(swapped(events)))).toEqual([]);
    expect(await broken(both, swapped)).not.toEqual([]);
  });

  it('must complete those that they take, and none twice', async () => {
    const missing = await Promise.all(
      [0, 1].map((n) =>
        broken(
          both,
          completion(n, () => undefined),
        ),
      ),
    );
    expect(new Set(missing.flat())).toEqual(new Set(['uc-receive-completes', 'ud-receive-completes']));
    expect(
      await broken(
        both,
        completion(1, (_, [a]) => a),
      ),
    ).toContain('unreliable-receive-order');
  });

  it('may find none where the other has had the last one', async () => {
    const one = beside([recv(room), first, last], [only], [0, 0, 1, 0]);
    expect(await broken(one)).toEqual([]);
    // both of them found the only one
    const twice = await drive(one);
    expect(twice.events.filter(({ kind }) => kind === 'completion')).toHaveLength(1);
  });

  it('find what a neighbour gave back', async () => {
    const plan = beside([recv(room), first, behindGap, settle], [settle, only], [0, 0, 0, 0, 1]);
    expect(await broken(plan)).toEqual([]);
    expect(await broken(plan, undefined, 'uc-srq-wqe-stays-with-qp')).toEqual(['ud-receive-completes']);
  });
});
