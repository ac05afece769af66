import { describe, expect, it } from 'vitest';
import { openSecondContext } from '../../../adapters/verbs/device/events.ts';
import type { Libibverbs } from '../../../adapters/verbs/ffi.ts';
import type { AsyncEvent } from '../../../spec/verbs.ts';

const none = (): undefined => undefined;
const owners = { cq: none, srq: none, qpNum: none };

/** A machine with one device, which opens so many times, and whose events wait. */
function machine(times: number, waiting: Buffer[]) {
  const done: string[] = [];
  let opened = 0;
  const name = Buffer.alloc(8);
  name.writeBigUInt64LE(0x100n);
  const lib = {
    getDeviceList: (count: Buffer) => (count.writeInt32LE(1), 0x10n),
    freeDeviceList: none,
    getDeviceName: () => 'rxe0',
    copyOut: (to: Buffer) => (name.copy(to), 0n),
    openDevice: () => (++opened > times ? null : 0x1000n),
    closeDevice: (context: bigint) => (done.push(`close ${context}`), 0),
    getAsyncEvent: (_context: bigint, into: Buffer) => {
      const next = waiting.shift();
      return next === undefined ? -1 : (next.copy(into), 0);
    },
    ackAsyncEvent: (event: Buffer) => done.push(`ack ${event.readInt32LE(8)}`),
  } as unknown as Libibverbs;
  return { lib, done };
}

function event(code: number, element: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(element, 0);
  bytes.writeInt32LE(code, 8);
  return bytes;
}

describe('a second user context', () => {
  it('tells what it receives, acknowledges what it can name, and is closed', () => {
    const { lib, done } = machine(1, [event(10, 1n), event(1, 0xdead0000n)]);
    const told: AsyncEvent[] = [];
    let take = (): void => undefined;
    const second = openSecondContext(
      lib,
      'rxe0',
      owners,
      (one) => told.push(one),
      (_lib, context, taking) => {
        expect(context).toBe(0x1000n);
        take = taking;
        return { close: () => done.push('listen no more') };
      },
    );
    take();
    expect(told).toEqual([
      { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 },
      { event_type: 'IBV_EVENT_QP_FATAL' },
    ]);
    second?.close();
    expect(done).toEqual(['ack 10', 'listen no more', 'close 4096']);
  });

  it('is not there where the device opens once', () => {
    const { lib } = machine(0, []);
    expect(openSecondContext(lib, 'rxe0', owners, none)).toBeUndefined();
  });
});
