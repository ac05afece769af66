import { describe, expect, it } from 'vitest';
import { damaged, FaultWire, type DamagedPart } from '../../../adapters/fault-wire/index.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { encode } from '../../../wire/index.ts';
import { frameFault, type FrameFault } from '../../../wire/frame-fault.ts';

const parts: [DamagedPart, FrameFault][] = [
  ['ethertype', 'ethertype'],
  ['ip-checksum', 'ip-header'],
  ['ip-version', 'ip-header'],
  ['ip-length', 'ip-header'],
  ['udp-port', 'udp-header'],
  ['udp-length', 'udp-header'],
  ['oversized', 'oversized'],
];

const frames = {
  IPv4: { srcIp: '10.0.0.1', dstIp: '10.0.0.2' },
  IPv6: { srcIp: 'fd00::1', dstIp: 'fd00::2' },
  'IPv4 with a VLAN tag': { srcIp: '10.0.0.1', dstIp: '10.0.0.2', vlanTci: 5 },
};

describe('a frame damaged in front of its BTH', () => {
  it.each(Object.entries(frames).flatMap(([name, ip]) => parts.map((part) => [...part, name, ip] as const)))(
    '%s is told as %s over %s, and the frame it was made from is as it was',
    (part, fault, _, ip) => {
      const frame = encode({
        opcode: opcodeByName('RC_SEND_ONLY'),
        destQp: 7,
        psn: 1,
        payload: new Uint8Array(60),
        ...ip,
      });
      const before = Buffer.from(frame).toString('hex');
      expect(frameFault(frame)).toBeUndefined();
      expect(frameFault(damaged(frame, part))).toBe(fault);
      expect(Buffer.from(frame).toString('hex')).toBe(before);
    },
  );

  it('is copied as it is where it is no RoCEv2', () => {
    expect(damaged(Uint8Array.of(1, 2, 3), 'ip-length')).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('comes out of the fault wire instead of the sound one', () => {
    const out: Uint8Array[] = [];
    const wire = new FaultWire({
      clock: new VirtualClock(),
      faults: [
        { direction: 'to-responder', match: { ordinal: 1 }, action: { kind: 'damage', part: 'udp-port' } },
      ],
      firstPsn: 0,
      deliver: (_, frame) => out.push(frame),
    });
    for (const psn of [0, 1, 2])
      wire.send('to-responder', encode({ opcode: opcodeByName('RC_SEND_ONLY'), destQp: 7, psn }));
    expect(out.map((frame) => frameFault(frame))).toEqual([undefined, 'udp-header', undefined]);
  });
});
