import { formatIpv4, formatIpv6, formatMac, parseIp } from '../../wire/index.ts';
import { AdapterUnavailable } from '../adapter.ts';
import type { Clock, Endpoint } from '../adapter.ts';
import { neighbourReply, neighbourRequests } from './neighbour.ts';
import { openPacketSocket } from './packet-socket.ts';
import type { PacketSocket } from './packet-socket.ts';

/**
 * The wire by the interface that faces the device's port. The peer makes itself known there, and answers who asks for its MAC
 * address, as a host does. AdapterUnavailable where nothing comes back.
 */
export async function openPeerWire(
  netdev: string,
  dut: Endpoint,
  peer: Endpoint,
  clock: Clock,
): Promise<PacketSocket> {
  const socket = openPacketSocket(netdev, clock);
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  let heard: () => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    heard = () => resolve(true);
  });
  socket.onFrame((frame, time) => {
    if (formatMac(frame, 6) === dut.mac) heard();
    const reply = neighbourReply(frame, peer);
    if (reply === undefined) listener(frame, time);
    else socket.send(reply);
  });
  for (let tries = 0; tries < 10; tries++) {
    // a call of libibverbs that has to ask for the peer's MAC address would wait for this very thread to answer
    for (const frame of neighbourRequests(peer, dut)) socket.send(frame);
    const known = await Promise.race([answered, clock.sleep(200e6).then(() => false)]);
    if (known) return { ...socket, onFrame: (next) => void (listener = next) };
  }
  socket.close();
  throw new AdapterUnavailable(
    `verbs: nothing comes back on ${netdev}; it must be the interface that faces the device's port, and up`,
  );
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
