import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { responderScenario } from '../../../suites/arbitraries/base.ts';
import { inject, packet, settle } from '../../../suites/arbitraries/packets.ts';
import type { Scenario } from '../../../suites/index.ts';
import { drive, packets, statuses } from '../drive.ts';
import { profile } from '../profile.ts';

const last = (1n << 64n) - 1n;
const length = 8192;
const chosen = {
  ip: 4,
  mtu: 256,
  startPsn: 0,
  srq: false,
  minRnrTimer: 12,
  maxDestRdAtomic: 4,
} as const;

/** Memory of the responder and of its work requests ends with the address space. */
function scenario(steps: Scenario['steps'], sges: number): Scenario {
  const plain = responderScenario(profile, chosen, {
    steps: [{ do: 'post_recv', length: 100, sges }, ...steps],
  });
  const [region] = plain.regions;
  return {
    ...plain,
    regions: region === undefined ? [] : [{ ...region, length, iova: String(last + 1n - BigInt(length)) }],
    responder: { ...plain.responder, lastByte: String(last) },
  };
}

describe('memory at an address of its own', () => {
  it.each([1, 3])('may end with the address space, and is used to its end (%i elements)', async (sges) => {
    const bytes = 8;
    const write = (offset: number) =>
      inject(
        packet('RDMA_WRITE_ONLY', {
          payload: { mtus: 0, bytes },
          target: { region: 0, offset, length: bytes },
        }),
      );
    const send = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 100 } }));
    const { events } = await drive(
      scenario([send, settle, write(length - bytes), write(length - 4), settle], sges),
    );
    const regions = events.flatMap((e) => (e.kind === 'call' && e.call === 'reg_mr' ? [e] : []));
    expect(regions).toHaveLength(1 + sges);
    for (const region of regions) expect(region.addr + BigInt(region.length)).toBe(last + 1n);
    const posted = events.flatMap((e) => (e.kind === 'call' && e.call === 'post_recv' ? [e.wr] : []));
    for (const { addr, length: part } of posted.flatMap((wr) => wr.sg_list))
      expect(addr + BigInt(part)).toBe(last + 1n);
    expect(packets(events, 'to-dut').map(({ packet: { reth } }) => reth?.va)).toEqual([
      undefined,
      last + 1n - 8n,
      last + 1n - 4n,
    ]);
    // ACK, ACK, NAK "remote access error" of what would go on at address 0
    expect(packets(events, 'from-dut').map(({ packet: { aeth } }) => aeth?.syndrome)).toEqual([
      0x1f, 0x1f, 0x62,
    ]);
    expect(statuses(events)).toEqual(['SUCCESS']);
  });

  it('is refused where its end has no address', async () => {
    const bench = await referenceAdapter().open({});
    const pd = await bench.verbs.alloc_pd();
    const register = async (iova: bigint) => bench.verbs.reg_mr({ pd, length, access: [], iova });
    await expect(register(last + 1n - BigInt(length) + 4096n)).rejects.toMatchObject({ errno: 22 });
    await expect(register(last + 1n - BigInt(length))).resolves.toMatchObject({
      addr: last + 1n - BigInt(length),
    });
    await bench.close();
  });
});
