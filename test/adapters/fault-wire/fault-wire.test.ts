import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../adapters/adapter.ts';
import { FaultWire, type Direction, type WireFault } from '../../../adapters/fault-wire/index.ts';
import { encodeSyndrome, opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';
import type { Packet, PacketFields } from '../../../wire/packet.ts';

/** A clock whose timers fire when told to. */
class HandClock implements Clock {
  readonly kind = 'virtual';
  private time = 0;
  private timers: { at: number; fire: () => void }[] = [];
  now(): number {
    return this.time;
  }
  async sleep(ns: number): Promise<void> {
    this.time += ns;
    const due = this.timers.filter((t) => t.at <= this.time);
    this.timers = this.timers.filter((t) => t.at > this.time);
    for (const timer of due) timer.fire();
    return Promise.resolve();
  }
  setTimer(ns: number, fire: () => void): { cancel(): void } {
    const timer = { at: this.time + ns, fire };
    this.timers.push(timer);
    return {
      cancel: () => {
        this.timers = this.timers.filter((t) => t !== timer);
      },
    };
  }
}

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

function request(psn: number, more: Partial<PacketFields> = {}): Uint8Array {
  return encode({
    opcode: opcodeByName('RC_SEND_ONLY'),
    destQp: 7,
    psn,
    payload: Uint8Array.of(1, 2, 3, 4),
    ...more,
  });
}

function response(psn: number, syndrome: number): Uint8Array {
  return encode({ opcode: opcodeByName('RC_ACKNOWLEDGE'), destQp: 9, psn, aeth: { syndrome, msn: 3 } });
}

function wire(
  faults: WireFault[],
  firstPsn = 0,
): { wire: FaultWire; out: { direction: Direction; packet: Packet }[]; clock: HandClock } {
  const out: { direction: Direction; packet: Packet }[] = [];
  const clock = new HandClock();
  const deliver = (direction: Direction, frame: Uint8Array): void => {
    out.push({ direction, packet: packetOf(frame) });
  };
  return { wire: new FaultWire({ clock, faults, firstPsn, deliver }), out, clock };
}

const toResponder = 'to-responder' as const;
const psns = (out: { packet: Packet }[]): number[] => out.map((o) => o.packet.psn);

describe('fault wire', () => {
  it('passes everything, in order, where no fault matches', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffffff), { maxLength: 20 }), (sent) => {
        const { wire: w, out } = wire([{ direction: 'to-requester', match: {}, action: { kind: 'drop' } }]);
        for (const psn of sent) w.send(toResponder, request(psn));
        expect(psns(out)).toEqual(sent);
      }),
    );
  });

  it('finds a packet by relative PSN across the wrap, and only in its direction', () => {
    const { wire: w, out } = wire(
      [{ direction: toResponder, match: { psnOffset: 2 }, action: { kind: 'drop' } }],
      0xffffff,
    );
    for (const psn of [0xffffff, 0, 1, 2]) w.send(toResponder, request(psn));
    w.send('to-requester', response(1, 0x1f));
    expect(psns(out)).toEqual([0xffffff, 0, 2, 1]);
  });

  it('drops only the n-th transmission of a packet', () => {
    const { wire: w, out } = wire([
      { direction: toResponder, match: { psnOffset: 5, transmission: 1 }, action: { kind: 'drop' } },
    ]);
    for (const psn of [5, 6, 5, 5]) w.send(toResponder, request(psn));
    expect(psns(out)).toEqual([5, 6, 5]);
  });

  it('counts ordinals among the packets that fit the other criteria', () => {
    const { wire: w, out } = wire([
      { direction: 'to-requester', match: { class: 'nak', ordinal: 1 }, action: { kind: 'drop' } },
    ]);
    const nak = encodeSyndrome('nak', 0);
    const rnr = encodeSyndrome('rnr-nak', 12);
    for (const [psn, syndrome] of [
      [1, 0x1f],
      [2, nak],
      [3, rnr],
      [4, nak],
      [5, nak],
    ] as const) {
      w.send('to-requester', response(psn, syndrome));
    }
    expect(psns(out)).toEqual([1, 2, 3, 5]);
  });

  it('duplicates, and holds until as many packets have passed', () => {
    const { wire: w, out } = wire([
      { direction: toResponder, match: { psnOffset: 0 }, action: { kind: 'hold', packets: 2 } },
      { direction: toResponder, match: { psnOffset: 3 }, action: { kind: 'duplicate', copies: 2 } },
    ]);
    for (const psn of [0, 1, 2, 3]) w.send(toResponder, request(psn));
    expect(psns(out)).toEqual([1, 2, 0, 3, 3, 3]);
  });

  it('lets out what is held when flushed, and forgets it when closed', () => {
    const hold: WireFault = { direction: toResponder, match: {}, action: { kind: 'hold', packets: 5 } };
    const { wire: w, out } = wire([hold]);
    w.send(toResponder, request(1));
    expect(w.pending).toBe(true);
    w.flush();
    expect(psns(out)).toEqual([1]);
    w.send(toResponder, request(2));
    w.close();
    w.flush();
    expect(psns(out)).toEqual([1]);
  });

  it('delays by its clock', async () => {
    const {
      wire: w,
      out,
      clock,
    } = wire([{ direction: toResponder, match: { ordinal: 0 }, action: { kind: 'delay', us: 10 } }]);
    w.send(toResponder, request(1));
    w.send(toResponder, request(2));
    await clock.sleep(9_999);
    expect(psns(out)).toEqual([2]);
    await clock.sleep(1);
    expect(psns(out)).toEqual([2, 1]);
  });

  it('corrupts a byte from the BTH on, and repairs the ICRC where asked', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 255 }), fc.boolean(), (byte, mask, repairIcrc) => {
        const { wire: w } = wire([]);
        const frames: Uint8Array[] = [];
        const bad = new FaultWire({
          clock: new HandClock(),
          faults: [
            { direction: toResponder, match: {}, action: { kind: 'corrupt', byte, mask, repairIcrc } },
          ],
          firstPsn: 0,
          deliver: (_, frame) => frames.push(frame),
        });
        const sound = request(1, { payload: new Uint8Array(40) });
        // adapters on sockets deliver Buffers, whose slice() shares the bytes
        const sent = Buffer.from(sound);
        bad.send(toResponder, sent);
        expect(Buffer.compare(sent, sound)).toBe(0);
        const [frame] = frames;
        expect(w.pending).toBe(false);
        if (frame === undefined) throw new Error('the frame was not delivered');
        expect(frame).toHaveLength(sound.length);
        // Bytes 42.. are the BTH on an untagged IPv4 frame; the last four are the ICRC.
        const changed = [...frame.keys()].filter((i) => frame[i] !== sound[i] && i < frame.length - 4);
        expect(changed).toEqual([42 + (byte % (sound.length - 46))]);
        const decoded = decode(frame);
        // Byte 4 of the BTH is not covered by the ICRC.
        const covered = changed[0] !== 46;
        const holds = decoded.kind !== 'packet' || decoded.packet.icrcOk === (repairIcrc || !covered);
        expect(holds).toBe(true);
      }),
    );
  });

  it('rewrites fields and sets CE with an ICRC that holds', () => {
    const rewrite = (
      field: 'psn' | 'pkey' | 'destQp' | 'ackReq' | 'syndrome' | 'msn',
      xor: number,
    ): Packet => {
      const direction = field === 'syndrome' || field === 'msn' ? 'to-requester' : toResponder;
      const { wire: w, out } = wire([{ direction, match: {}, action: { kind: 'rewrite', field, xor } }]);
      w.send(direction, direction === toResponder ? request(0x10) : response(0x10, 0x1f));
      const [got] = out;
      if (got === undefined) throw new Error('nothing was delivered');
      expect(got.packet.icrcOk).toBe(true);
      return got.packet;
    };
    expect(rewrite('psn', 0x11).psn).toBe(1);
    expect(rewrite('pkey', 0x8000).pkey).toBe(0x7fff);
    expect(rewrite('destQp', 1).destQp).toBe(6);
    expect(rewrite('ackReq', 1).ackReq).toBe(true);
    expect(rewrite('syndrome', 0x7f).aeth?.syndrome).toBe(0x60);
    expect(rewrite('msn', 1).aeth?.msn).toBe(2);
    const { wire: w, out } = wire([
      { direction: toResponder, match: { class: 'data' }, action: { kind: 'set-ce' } },
    ]);
    w.send(toResponder, request(1, { trafficClass: 0x0a }));
    expect(out[0]?.packet.trafficClass).toBe(0x0b);
    expect(out[0]?.packet.icrcOk).toBe(true);
  });

  it('adds alterations up and then drops, duplicates, delays or holds by the first such fault', () => {
    const { wire: w, out } = wire([
      { direction: toResponder, match: {}, action: { kind: 'rewrite', field: 'psn', xor: 1 } },
      { direction: toResponder, match: {}, action: { kind: 'duplicate', copies: 1 } },
      { direction: toResponder, match: {}, action: { kind: 'set-ce' } },
      { direction: toResponder, match: {}, action: { kind: 'drop' } },
    ]);
    w.send(toResponder, request(8));
    expect(psns(out)).toEqual([9, 9]);
    expect(out.every((o) => o.packet.ecn === 3)).toBe(true);
    expect(w.faultsMet).toBe(1);
  });
});
