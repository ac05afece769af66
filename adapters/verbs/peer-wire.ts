import { formatIpv4, formatIpv6, formatMac, parseIp } from '../../wire/index.ts';
import { AdapterBroken, AdapterUnavailable, VerbsError } from '../adapter.ts';
import type { Clock, Endpoint, Verbs } from '../adapter.ts';
import { neighbourConfirmations, neighbourReply, neighbourRequests } from './neighbour.ts';
import { openPacketSocket } from './packet-socket.ts';
import type { PacketSocket } from './packet-socket.ts';

/** The peer's end of the wire. */
export interface PeerWire extends PacketSocket {
  /** Makes the peer known to the host of the device, once more. */
  announce(): void;
}

const announceMs = 1000;
const etimedout = 110;

/**
 * The wire by the interface that faces the device's port. The peer makes itself known there, and answers who asks for its MAC
 * address, as a host does. AdapterUnavailable where nothing comes back.
 */
export async function openPeerWire(
  netdev: string,
  dut: Endpoint,
  peer: Endpoint,
  clock: Clock,
): Promise<PeerWire> {
  const socket = openPacketSocket(netdev, clock);
  const say = (frames: readonly Uint8Array[]): void => {
    try {
      for (const frame of frames) socket.send(frame);
    } catch (error) {
      // nobody would catch it here; what a test sends next will tell
      if (!(error instanceof AdapterBroken)) throw error;
    }
  };
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  let heard: () => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    heard = () => resolve(true);
  });
  socket.onFrame((frame, time) => {
    if (formatMac(frame, 6) === dut.mac) heard();
    const reply = neighbourReply(frame, peer);
    if (reply === undefined) listener(frame, time);
    else say([reply]);
  });
  // a call of libibverbs that has to ask for the peer's MAC address would wait for this very thread to answer
  const announce = (): void => say([...neighbourRequests(peer, dut), ...neighbourConfirmations(peer, dut)]);
  for (let tries = 0; tries < 10; tries++) {
    announce();
    const known = await Promise.race([answered, clock.sleep(200e6).then(() => false)]);
    if (!known) continue;
    announce();
    const timer = setInterval(announce, announceMs);
    const close = (): void => {
      clearInterval(timer);
      socket.close();
    };
    return { ...socket, onFrame: (next) => void (listener = next), announce, close };
  }
  socket.close();
  throw new AdapterUnavailable(
    `verbs: nothing comes back on ${netdev}; it must be the interface that faces the device's port, and up`,
  );
}

/**
 * Verbs whose calls that lead to a peer are made again where the host could not find out its MAC address (ETIMEDOUT), which is
 * no refusal by the device: while this process was busy, nobody answered for the peer.
 */
export function patientVerbs(verbs: Verbs, wire: Pick<PeerWire, 'announce'>, clock: Clock): Verbs {
  const patient = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof VerbsError) || error.errno !== etimedout || tries === 5) throw error;
        wire.announce();
        await clock.sleep(50e6);
      }
    }
  };
  const { create_ah } = verbs;
  return {
    ...verbs,
    modify_qp: (qp, attr) => patient(() => verbs.modify_qp(qp, attr)),
    ...(create_ah !== undefined && { create_ah: (args) => patient(() => create_ah(args)) }),
  };
}

const flipped = (address: string): string => {
  const bytes = Uint8Array.from(parseIp(address));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes.length === 4 ? formatIpv4(bytes, 0) : formatIpv6(bytes, 0);
};

/** The end that tests play on the wire, by addresses that no host has. */
export function peerOf({ ipv4, ipv6, gidIndex }: Endpoint, wanted: string | undefined): Endpoint {
  return {
    mac: '02:72:64:6d:61:02',
    ...(ipv4 !== undefined && { ipv4: wanted ?? flipped(ipv4) }),
    ...(ipv6 !== undefined && { ipv6: flipped(ipv6) }),
    gidIndex,
  };
}
