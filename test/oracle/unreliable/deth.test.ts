import { describe, expect, it } from 'vitest';
import { bytes, dut, peer, qkey } from '../trace/packets.ts';
import { ud } from './setup.ts';

describe('the DETH of a datagram', () => {
  it('has 0 in its reserved byte', () => {
    const sends = (reserved?: number) => {
      const deth = { qkey, srcQp: dut.qp, ...(reserved !== undefined && { reserved }) };
      return ud()
        .send()
        .from('SEND_ONLY', 0, { payload: bytes(16, 0), deth })
        .sent(1)
        .settle()
        .broken();
    };
    expect(sends()).toEqual([]);
    expect(sends(0x80)).toEqual(['ud-request-deth']);
  });

  it('is read whatever is in its reserved byte', () => {
    const deth = { qkey, srcQp: peer.qp, reserved: 0xff };
    const arrives = () =>
      ud()
        .recv(64)
        .to('SEND_ONLY', 0, { payload: bytes(8), deth });
    expect(arrives().received(1, 48).settle().broken()).toEqual([]);
    expect(arrives().settle().broken()).toEqual(['ud-receive-completes']);
  });
});
