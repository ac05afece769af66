import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { properties, type Scenario } from '../../../suites/index.ts';
import { generateChunk } from '../../../suites/runner/generate.ts';
import { atPathMtu } from '../../../suites/runner/vary/path-mtu.ts';
import { profile } from '../profile.ts';

const walk = properties.find(({ id }) => id === 'rc-responder/read');
if (walk === undefined) throw new Error('the property is gone');
const [any] = generateChunk(walk, profile, 1, 0, 1).map(({ scenario }) => scenario);
if (any === undefined) throw new Error('no scenario');
const plain: Scenario = any;

/** A READ of so many bytes from a place in a region, at a path MTU. */
function reading(mtu: Scenario['mtu'], region: number, offset: number, length: number): Scenario {
  const packet = {
    operation: 'RDMA_READ_REQUEST',
    psn: { from: 'next', offset: -1000 },
    ackReq: true,
    payload: { mtus: 0, bytes: 0 },
    target: { region: 0, offset, length },
  } as const;
  return {
    ...plain,
    mtu,
    regions: [{ length: region, access: [], fill: 1 }],
    steps: [{ do: 'inject', packet }],
  };
}

function readAt(scenario: Scenario, mtu: number): { region: number; offset: number; length: number } {
  const { regions, steps } = atPathMtu(scenario, mtu) as Scenario;
  const [step] = steps;
  if (step?.do !== 'inject' || step.packet.target === undefined) throw new Error('the READ is gone');
  expect(step.packet.psn.offset).toBe(-1000);
  return { ...step.packet.target, region: regions[0]?.length ?? 0 };
}

const mtus = [256, 512, 1024, 2048, 4096] as const;
const packets = (length: number, mtu: number): number => Math.max(1, Math.ceil(length / mtu));

describe('another path MTU', () => {
  it('leaves a message as many packets, and within its region', () => {
    fc.assert(
      fc.property(fc.constantFrom(...mtus), fc.constantFrom(...mtus), fc.nat(20_000), (from, to, length) => {
        const whole = Math.ceil(Math.max(1, length) / from) * from;
        const read = readAt(reading(from, whole, 0, length), to);
        expect(packets(read.length, to)).toBe(packets(length, from));
        expect(read.length).toBeLessThanOrEqual(read.region);
        expect(read.length > 0).toBe(length > 0);
      }),
    );
  });

  it('keeps what a last packet lacks to a full one', () => {
    // 17 bytes less than three packets, and the part behind the first one
    expect(readAt(reading(1024, 3072, 0, 3055), 256)).toEqual({ region: 768, offset: 0, length: 751 });
    expect(readAt(reading(1024, 3072, 1024, 2031), 256)).toEqual({ region: 768, offset: 256, length: 495 });
    expect(readAt(reading(1024, 1024, 8, 1000), 256).length).toBe(232);
    expect(readAt(reading(1024, 1024, 600, 8), 256)).toEqual({ region: 256, offset: 144, length: 8 });
    expect(readAt(reading(256, 768, 0, 257), 4096).length).toBe(4097);
  });
});
