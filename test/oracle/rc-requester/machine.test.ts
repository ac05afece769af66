import { expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { requesterMachine } from '../../../oracle/rc-requester/machine.ts';

it('a demand that the machine does not give a meaning to is an error, and never counts as met', () => {
  expect(() => requesterMachine(loadRules()).holds('mustNothing')).toThrow(RangeError);
});
