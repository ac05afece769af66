import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { feedCapture } from '../../cli/check/feed.ts';
import { Judge, loadRules } from '../../oracle/index.ts';
import { readCapture } from '../../wire/index.ts';

it('finds the ACK timer of soft-RoCE that no answer stops, in a capture that has lost nothing', async () => {
  const file = new URL('../fixtures/captures/rxe-6.1-pingpong.pcapng', import.meta.url);
  const header = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' } as const;
  const judge = new Judge({ ...header, complete: { addresses: [], timeout: 14 } }, loadRules());
  const { numbers } = await feedCapture(readCapture(fileURLToPath(file)), (event) => {
    judge.push(event);
  });
  const { violations } = judge.finish();
  // 61 ms after the first request that asks for an answer the timer runs out, two ticks early; frame 115 asks for none, and all before
  // it is acknowledged. The same timer of the other end, at frame 102, could be one of a new connection.
  expect(violations.map(({ rule, event }) => [rule, numbers.frameOf(event)])).toEqual([
    ['rc-retransmission-uncaused', 116],
  ]);
});
