import { decodeCaptured, type CaptureFrame } from '../../wire/index.ts';
import { packetIn } from './frames.ts';

/** Pairs of addresses whose network is remembered; of more, the network is not looked at. */
const mostPairs = 65_536;

/**
 * Reads the frames of a capture one after the other, out of the tunnels that they are in. Two networks of an overlay may use the same addresses,
 * and then their QPs cannot be distinguished: of each pair of addresses, the packets of the network that was seen first are taken.
 */
export class PacketReader {
  readonly #networks = new Map<string, string>();
  /** of the packets that were left out, by what they were in and what was taken, how many */
  readonly #others = new Map<string, number>();

  read(frame: CaptureFrame): ReturnType<typeof decodeCaptured> {
    const decoded = decodeCaptured(frame);
    const network = decoded.within?.network;
    if (network === undefined) return decoded;
    const packet = packetIn(decoded);
    if (packet === undefined) return decoded;
    const taken = this.#networks.get(packet.addressKey);
    if (taken === network) return decoded;
    if (taken === undefined) {
      if (this.#networks.size < mostPairs) this.#networks.set(packet.addressKey, network);
      return decoded;
    }
    const which = `${network} beside ${taken}`;
    if (this.#others.size < mostPairs || this.#others.has(which))
      this.#others.set(which, (this.#others.get(which) ?? 0) + 1);
    return { kind: 'not-roce', reason: 'the same addresses in another network of an overlay' };
  }

  /** Why a clean result is not the whole of it, in words for people. */
  doubts(): string[] {
    const [first] = this.#others;
    if (first === undefined) return [];
    const [which] = first;
    const packets = [...this.#others.values()].reduce((n, more) => n + more, 0);
    const them = packets === 1 ? '1 packet has' : `${packets} packets have`;
    return [
      `${them} the same addresses in another network (${which}${this.#others.size > 1 ? ', and more' : ''}), and were not judged: split the capture by network`,
    ];
  }
}
