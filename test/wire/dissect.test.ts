import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../spec/constants.ts';
import { dissect, type FrameLayer } from '../../wire/dissect.ts';
import { encode } from '../../wire/index.ts';
import { anyPacketFields } from './arbitrary.ts';

function value(layers: readonly FrameLayer[], layer: string, field: string): string | undefined {
  return layers.find(({ name }) => name === layer)?.fields.find(({ name }) => name === field)?.value;
}

describe('a frame taken apart', () => {
  it('names headers and fields as the spec does', () => {
    const layers = dissect(
      encode({
        opcode: opcodeByName('RC_ACKNOWLEDGE'),
        destQp: 0x12,
        psn: 7,
        aeth: { syndrome: 0x60, msn: 3 },
      }),
    );
    expect(layers.map(({ name }) => name)).toEqual(['Ethernet', 'IPv4', 'UDP', 'BTH', 'AETH', 'ICRC']);
    expect(value(layers, 'BTH', 'opcode')).toBe('0x11 RC_ACKNOWLEDGE');
    expect(value(layers, 'BTH', 'destination QP')).toBe('0x000012');
    expect(value(layers, 'BTH', 'PSN')).toBe('7');
    expect(value(layers, 'AETH', 'syndrome')).toBe('0x60 NAK PSN sequence error');
    expect(value(layers, 'UDP', 'destination port')).toBe('4791');
    expect(value(layers, 'ICRC', 'verdict')).toBe('right');
  });

  it('tells a wrong ICRC', () => {
    const frame = encode({ opcode: opcodeByName('RC_SEND_ONLY'), destQp: 1, psn: 0, icrcXor: 1 });
    expect(value(dissect(frame), 'ICRC', 'verdict')).toBe('wrong');
  });

  it('leaves no byte of a packet out and takes none twice', () => {
    fc.assert(
      fc.property(anyPacketFields, (fields) => {
        const frame = encode(fields);
        let at = 0;
        for (const { offset, length, name } of dissect(frame)) {
          expect(offset, name).toBe(at);
          at += length;
        }
        expect(at).toBe(frame.length);
      }),
    );
  });

  it('says of anything else that it is no packet', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const [first, ...others] = dissect(bytes);
        expect(others).toEqual([]);
        expect(first?.fields[0]?.name).toBe('no packet');
      }),
    );
  });
});
