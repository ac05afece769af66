/**
 * A device of one's own, packet by packet: the reference NIC, with one fault between it and the wire. Its NAK "PSN sequence
 * error" names a PSN that is one too high, so the requester would never send the packet that was lost.
 *
 *     npx rdma-conform --adapter ./examples/planted-fault.ts
 *
 * The suite finds it: rc-request-ahead fails, and the report ends with the two packets that show it.
 */
import { referenceAdapter, type Adapter, type Wire } from 'rdma-conform/adapter';
import { decode, encode, psnAdd } from 'rdma-conform/wire';

/** AETH syndrome of the NAK "PSN sequence error". */
const psnSequenceError = 0x60;

/** The frame as this device sends it. Anything but the NAK is left as it is, byte for byte. */
function falsify(frame: Uint8Array): Uint8Array {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet' || decoded.packet.aeth?.syndrome !== psnSequenceError) return frame;
  const { packet } = decoded;
  // fields() is the packet as plain data; encode() computes lengths and ICRC anew.
  return encode({ ...packet.fields(), psn: psnAdd(packet.psn, 1) });
}

function falsifying(wire: Wire): Wire {
  return {
    send: (frame) => {
      wire.send(frame);
    },
    onFrame: (listener) => {
      wire.onFrame((frame, time) => {
        listener(falsify(frame), time);
      });
    },
  };
}

const reference = referenceAdapter();

const adapter: Adapter = {
  name: 'planted-fault',
  describe: async () => ({ ...(await reference.describe()), name: 'planted-fault' }),
  open: async (options) => {
    const bench = await reference.open(options);
    return bench.wire === undefined ? bench : { ...bench, wire: falsifying(bench.wire) };
  },
};

export default adapter;
