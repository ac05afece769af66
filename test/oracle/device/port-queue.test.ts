import { describe, expect, it } from 'vitest';
import { PortQueue } from '../../../oracle/device/port-queue.ts';

/** a byte takes a nanosecond, and nothing waits longer than 5000 */
const port = (): PortQueue => new PortQueue({ lineRate: 8e9, responseTime: 5000 });

describe('a port that sends one packet after the other', () => {
  it('may have held a packet since it began to send without a gap', () => {
    const queue = port();
    queue.left(1000, 2000);
    expect(queue.unhindered(2000)).toBe(2000);
    expect(queue.handedOver(2000)).toBe(1000);
    queue.left(1000, 3000);
    expect(queue.unhindered(3000)).toBe(2000);
    expect(queue.handedOver(3000)).toBe(1000);
    queue.left(200, 3900);
    expect(queue.unhindered(3900)).toBe(1200);
    queue.left(200, 5000);
    expect(queue.unhindered(5000)).toBe(5000);
  });

  it('holds nothing longer than the device may take, and tells of the newest packet alone', () => {
    const queue = port();
    for (let t = 1000; t <= 9000; t += 1000) queue.left(1000, t);
    expect(queue.unhindered(9000)).toBe(4000);
    expect(queue.unhindered(9500)).toBe(9500);
  });

  it('says whether a packet may be older than something that software was told before it', () => {
    const queue = port();
    queue.left(1000, 2000);
    expect(queue.mayHold(1000, 3000, 1500)).toBe(true);
    expect(queue.mayHold(1000, 4000, 2999)).toBe(false);
    expect(queue.mayHold(1000, 4000, 3000)).toBe(true);
    expect(queue.mayBeBusy(4000, 1500)).toBe(true);
    expect(queue.mayBeBusy(7000, 1500)).toBe(false);
  });

  it('holds nothing where its rate is not declared', () => {
    const queue = new PortQueue({ lineRate: undefined, responseTime: 5000 });
    queue.left(1000, 2000);
    expect(queue.unhindered(2000)).toBe(2000);
    expect(queue.mayHold(1000, 2000, 2000)).toBe(false);
    expect(queue.mayBeBusy(2000, 2000)).toBe(false);
  });
});
