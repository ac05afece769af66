import type { Adapter, Bench } from '../../adapters/adapter.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { decode, encode } from '../../wire/index.ts';
import type { Packet, PacketFields } from '../../wire/packet.ts';

/** The reference NIC with what it sends changed on its way out; `undefined` keeps a packet back. */
export function spoiled(
  name: string,
  change: (packet: Packet) => Partial<PacketFields> | undefined,
  inner: Adapter = referenceAdapter(),
): Adapter {
  return {
    name,
    describe: () => inner.describe(),
    open: async (options) => {
      const bench = await inner.open(options);
      const { wire } = bench;
      if (wire === undefined) return bench;
      const changed: Bench = {
        profile: bench.profile,
        clock: bench.clock,
        verbs: bench.verbs,
        dut: bench.dut,
        peer: bench.peer,
        close: () => bench.close(),
        wire: {
          send: (frame) => {
            wire.send(frame);
          },
          onFrame: (listener) => {
            wire.onFrame((frame, time) => {
              const decoded = decode(frame);
              if (decoded.kind !== 'packet') return;
              const change_ = change(decoded.packet);
              if (change_ === undefined) return;
              const same = Object.keys(change_).length === 0;
              listener(same ? frame : encode({ ...decoded.packet.fields(), ...change_ }), time);
            });
          },
        },
      };
      return changed;
    },
  };
}

/** Every NAK of this syndrome leaves as another. */
export function swapNak(name: string, from: number, to: number): Adapter {
  return spoiled(name, (packet) => {
    const { aeth } = packet;
    return aeth?.syndrome === from ? { aeth: { ...aeth, syndrome: to } } : {};
  });
}
