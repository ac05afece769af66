import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { errno } from './ffi.ts';

type CFunction<Args extends unknown[], Result> = (...args: Args) => Result;

const libc = koffi.load('libc.so.6');
const socket = libc.func('int socket(int family, int type, int protocol)') as CFunction<
  [family: number, type: number, protocol: number],
  number
>;
const bind = libc.func('int bind(int fd, void *address, uint32_t length)') as CFunction<
  [fd: number, address: Buffer, length: number],
  number
>;
const setOption = libc.func(
  'int setsockopt(int fd, int level, int option, void *value, uint32_t length)',
) as CFunction<[fd: number, level: number, option: number, value: Buffer, length: number], number>;
const getOption = libc.func(
  'int getsockopt(int fd, int level, int option, void *value, void *length)',
) as CFunction<[fd: number, level: number, option: number, value: Buffer, length: Buffer], number>;

const solPacket = 263;

function words(...values: number[]): Buffer {
  const b = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => b.writeInt32LE(value, 4 * i));
  return b;
}

/** A non-blocking AF_PACKET socket for all frames that come in by an interface, or the call that failed and its errno. */
export function packetSocket(ifindex: number): { fd: number } | { call: string; errno: number } {
  // SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC; protocol 0: nothing comes in before it is bound
  const fd = socket(17, 3 | 0o4000 | 0o2000000, 0);
  if (fd < 0) return { call: 'socket', errno: errno() };
  const address = Buffer.alloc(20); // struct sockaddr_ll
  address.writeUInt16LE(17, 0);
  address.writeUInt16BE(3, 2); // ETH_P_ALL
  address.writeInt32LE(ifindex, 4);
  const membership = words(ifindex, 1, 0, 0); // struct packet_mreq: PACKET_MR_PROMISC
  const steps: [string, () => number][] = [
    ['PACKET_IGNORE_OUTGOING', () => setOption(fd, solPacket, 23, words(1), 4)],
    ['bind', () => bind(fd, address, address.length)],
    ['PACKET_ADD_MEMBERSHIP', () => setOption(fd, solPacket, 1, membership, membership.length)],
  ];
  // SO_RCVBUFFORCE and SO_SNDBUFFORCE: only root may, others have what there is
  for (const option of [33, 32]) setOption(fd, 1, option, words(1 << 25), 4);
  for (const [call, run] of steps) {
    if (run() === 0) continue;
    const reason = errno();
    closeSync(fd);
    return { call, errno: reason };
  }
  return { fd };
}

/** Frames that an AF_PACKET socket had no room for since this was last asked. */
export function takeLostFrames(fd: number): number {
  const statistics = Buffer.alloc(8); // struct tpacket_stats
  return getOption(fd, solPacket, 6, statistics, words(8)) === 0 ? statistics.readUInt32LE(4) : 0;
}
