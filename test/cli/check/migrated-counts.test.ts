import { describe, expect, it } from 'vitest';
import { MigratedCounts } from '../../../cli/check/migrated-counts.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode, type Packet } from '../../../wire/index.ts';

/** A positive response of the QP that answers 0x11, at one of three pairs of addresses. */
function response(path: 1 | 2 | 3, psn: number, msn: number, migReq: boolean, destQp = 0x11): Packet {
  const frame = encode({
    srcMac: '02:00:00:00:00:02',
    dstMac: '02:00:00:00:00:01',
    srcIp: `10.0.${path}.2`,
    dstIp: `10.0.${path}.1`,
    opcode: opcodeByName('RC_ACKNOWLEDGE'),
    destQp,
    psn,
    migReq,
    aeth: { syndrome: 0x1f, msn },
  });
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.kind);
  return decoded.packet;
}

function doubts(...packets: readonly Packet[]): number {
  const counts = new MigratedCounts();
  for (const packet of packets) counts.saw(packet);
  return counts.doubts().length;
}

const before = response(1, 99, 10, false);

describe('MSNs behind a migration to other addresses', () => {
  it('are in doubt where they begin anew, leap, or fall back', () => {
    for (const msn of [1, 9, 5000]) expect(doubts(before, response(2, 100, msn, true))).toBe(1);
  });

  it.each([
    ['go on', [before, response(2, 100, 11, true)]],
    ['go on over 2^24', [response(1, 0xffffff, 0xffffff, false), response(2, 0, 0, true)]],
    ['come again for a request that is sent again', [before, response(2, 98, 10, true)]],
    ['are of far PSNs', [before, response(2, 5000, 1, true)]],
    ['are of another QP', [before, response(2, 100, 1, true, 0x12)]],
    ['are of QPs without an alternate path', [response(1, 99, 10, true), response(2, 100, 1, true)]],
    ['are of QPs that have not migrated', [before, response(2, 100, 1, false)]],
    ['are of the same addresses, which other judges look at', [before, response(1, 100, 1, true)]],
    [
      'are of another connection: the first one goes on',
      [before, response(2, 100, 1, true), response(1, 100, 11, false)],
    ],
    ['go on behind one of two connections', [response(3, 99, 40, false), before, response(2, 100, 11, true)]],
  ] as const)('are not where they %s', (_, packets) => {
    expect(doubts(...packets)).toBe(0);
  });

  it('are looked at in the first response', () => {
    expect(doubts(before, response(2, 100, 11, true), response(2, 101, 1, true))).toBe(0);
  });
});
