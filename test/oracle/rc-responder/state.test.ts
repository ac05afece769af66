import { expect, it } from 'vitest';
import { ResponderState } from '../../../oracle/rc-responder/state.ts';

it('a cloned state has every field of the original', () => {
  const state = new ResponderState();
  let value = 1;
  for (const key of Object.keys(state)) Object.assign(state, { [key]: value++ });
  expect(Object.fromEntries(Object.entries(state.clone()))).toEqual(
    Object.fromEntries(Object.entries(state)),
  );
});
