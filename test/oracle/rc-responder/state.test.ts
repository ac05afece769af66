import { expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { ReceiveQueue } from '../../../oracle/device/queues/receive-queue.ts';
import { responderMachine } from '../../../oracle/rc-responder/machine.ts';
import { ResponderState } from '../../../oracle/rc-responder/state.ts';

it('a cloned state has every field of the original', () => {
  const state = ResponderState.first(responderMachine(loadRules()), {
    posted: new ReceiveQueue(),
    srq: undefined,
  });
  let value = 1;
  for (const key of Object.keys(state)) if (key !== 'machine') Object.assign(state, { [key]: value++ });
  expect(value).toBeGreaterThan(20);
  expect(Object.fromEntries(Object.entries(state.clone()))).toEqual(
    Object.fromEntries(Object.entries(state)),
  );
});
