import { expect, it } from 'vitest';
import { Answered } from '../../../oracle/capture/answered.ts';
import { observeReply } from '../../../oracle/device/packet/observed-reply.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';

const [ok, sequenceError] = [0x1f, 0x60];

function acknowledge(syndrome: number, msn: number, psn = 5) {
  const decoded = decode(
    encode({ opcode: opcodeByName('RC_ACKNOWLEDGE'), destQp: 0x11, psn, aeth: { syndrome, msn } }),
  );
  const seen = decoded.kind === 'packet' ? observeReply(decoded.packet) : undefined;
  if (seen === undefined) throw new Error('no response');
  return seen;
}

it('a response that says what an earlier one said is a repetition, whatever else was said of its PSN since', () => {
  const answered = new Answered();
  const said = [acknowledge(sequenceError, 4), acknowledge(ok, 4), acknowledge(ok, 5), acknowledge(ok, 5, 6)];
  expect(said.map((seen) => answered.again(seen))).toEqual([false, false, false, false]);
  expect(said.map((seen) => answered.again(seen))).toEqual([true, true, true, true]);
  expect(answered.again(acknowledge(ok, 6))).toBe(false);
});
