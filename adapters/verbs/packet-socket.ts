import { closeSync, readFileSync, readSync, writeSync } from 'node:fs';
import { longestFrame } from '../../wire/index.ts';
import { AdapterBroken, AdapterUnavailable } from '../adapter.ts';
import type { Clock, Wire } from '../adapter.ts';
import { onReadable } from './ffi.ts';
import { packetSocket, takeLostFrames } from './packet-ffi.ts';

/** Longest wait for room in the interface's queue. */
const sendLimitMs = 1000;
const eperm = 1;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** A network interface of this machine, seen and used below its network stack. */
export interface PacketSocket extends Wire {
  close(): void;
}

function interfaceIndex(name: string): number {
  try {
    return Number(readFileSync(`/sys/class/net/${name}/ifindex`, 'utf8'));
  } catch {
    throw new AdapterUnavailable(`verbs: there is no network interface "${name}"`);
  }
}

/**
 * Opens an interface for raw frames, of any destination; frames that this machine sends by it are not shown. Needs the right
 * to (CAP_NET_RAW). A frame that nobody had room for breaks the adapter at the next send, since what was in it is not known.
 */
export function openPacketSocket(name: string, clock: Clock): PacketSocket {
  const opened = packetSocket(interfaceIndex(name));
  if ('errno' in opened) {
    const how = opened.errno === eperm ? ': run as root, or with CAP_NET_RAW' : '';
    throw new AdapterUnavailable(
      `verbs: no packet socket on ${name} (${opened.call}: errno ${opened.errno})${how}`,
    );
  }
  const { fd } = opened;
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  let lost = 0;
  const scratch = Buffer.alloc(65536);
  const drain = (): void => {
    for (;;) {
      try {
        const length = readSync(fd, scratch);
        listener(Buffer.from(scratch.subarray(0, length)), clock.now());
      } catch (error) {
        const code = codeOf(error);
        if (code === 'ENETDOWN') continue; // reported once when the interface goes down; it may come back
        if (code !== 'EAGAIN') throw error;
        lost += takeLostFrames(fd);
        return;
      }
    }
  };
  const poll = onReadable(fd, drain);
  const send = (frame: Uint8Array): void => {
    if (lost > 0) throw new AdapterBroken(`verbs: ${lost} frames on ${name} were lost before they were seen`);
    for (const end = performance.now() + sendLimitMs; ;) {
      try {
        writeSync(fd, frame);
        return;
      } catch (error) {
        const code = codeOf(error);
        if (code === 'ENETDOWN') return; // what is sent on a dead link is lost
        // a link that cannot carry what no port need take loses nothing that matters
        if (code === 'EMSGSIZE' && frame.length > longestFrame) return;
        if (code === 'EMSGSIZE')
          throw new AdapterBroken(
            `verbs: ${name} takes no frame of ${frame.length} bytes; raise its MTU to 4200 (ip link set ${name} mtu 4200)`,
          );
        if ((code !== 'EAGAIN' && code !== 'ENOBUFS') || performance.now() > end)
          throw new AdapterBroken(`verbs: ${name} takes no frame of ${frame.length} bytes: ${String(error)}`);
      }
    }
  };
  return {
    send,
    onFrame: (next) => {
      listener = next;
    },
    close: () => {
      poll.close();
      closeSync(fd);
    },
  };
}
