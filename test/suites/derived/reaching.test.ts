import { describe, expect, it } from 'vitest';
import { decodeSyndrome } from '../../../spec/constants.ts';
import { generateChunk } from '../../../suites/index.ts';
import { drive, packets } from '../drive.ts';
import { profile } from '../profile.ts';
import { propertyNamed } from './parts.ts';

function casesOf(id: string, count: number): ReturnType<typeof generateChunk> {
  return generateChunk(propertyNamed(id), profile, 5, 0, count, 0);
}

describe('cases of a responder', () => {
  it('have messages and READs of more than 2^16 bytes', async () => {
    const longest = { to: 0, from: 0 };
    for (const { scenario } of casesOf('rc-responder/long-messages', 15)) {
      const { events } = await drive(scenario);
      const bytes = (direction: 'to-dut' | 'from-dut'): number =>
        packets(events, direction).reduce((sum, e) => sum + e.packet.payload.length, 0);
      longest.to = Math.max(longest.to, bytes('to-dut'));
      longest.from = Math.max(longest.from, bytes('from-dut'));
    }
    expect(longest.to).toBeGreaterThan(0x10000);
    expect(longest.from).toBeGreaterThan(0x10000);
  });

  it('have an MSN beyond 2^8, with a receive queue of few entries', async () => {
    let most = 0;
    for (const { scenario } of casesOf('rc-responder/many-messages', 8)) {
      expect(scenario.responder.maxRecvWr).toBe(8);
      const { events } = await drive(scenario);
      for (const { packet } of packets(events, 'from-dut')) most = Math.max(most, packet.aeth?.msn ?? 0);
    }
    expect(most).toBeGreaterThan(0x100);
  });

  it('have packets of the message in progress that come again before its last one', async () => {
    let again = 0;
    for (const { scenario } of casesOf('rc-responder/duplicates-within', 20)) {
      const { events } = await drive(scenario);
      let newest = -1;
      let open = false;
      for (const { packet } of packets(events, 'to-dut')) {
        const operation = packet.info?.operation ?? '';
        const psn = (packet.psn - scenario.requester.startPsn) & 0xffffff;
        if (psn <= newest && open && /FIRST|MIDDLE/.test(operation)) again++;
        if (psn <= newest) continue;
        newest = psn;
        open = /FIRST|MIDDLE/.test(operation);
      }
    }
    expect(again).toBeGreaterThan(10);
  });

  it('have RNR NAKs at the last packet of a message, which then completes', async () => {
    let refused = 0;
    for (const { scenario } of casesOf('rc-responder/not-ready-at-the-end', 10)) {
      const { events } = await drive(scenario);
      const naks = packets(events, 'from-dut').filter(
        ({ packet }) => packet.aeth !== undefined && decodeSyndrome(packet.aeth.syndrome).kind === 'rnr-nak',
      );
      const done = events.some((e) => e.kind === 'completion' && e.wc.opcode === 'IBV_WC_RECV_RDMA_WITH_IMM');
      if (naks.length > 0 && done) refused++;
    }
    expect(refused).toBeGreaterThan(5);
  });
});

describe('cases of a requester', () => {
  it('have errors with a dozen work requests under way', async () => {
    let most = 0;
    for (const { scenario } of casesOf('rc-requester/errors-with-many', 20)) {
      const { events } = await drive(scenario);
      const flushed = events.filter((e) => e.kind === 'completion' && e.wc.status === 'IBV_WC_WR_FLUSH_ERR');
      most = Math.max(most, flushed.length);
    }
    expect(most).toBeGreaterThan(8);
  });

  it('have retries of either kind between steps of progress', async () => {
    const kinds = new Set<string>();
    for (const { scenario } of casesOf('rc-requester/counters-between-progress', 20)) {
      let progress = 0;
      for (const { packet } of packets((await drive(scenario)).events, 'to-dut')) {
        const kind = packet.aeth === undefined ? 'response' : decodeSyndrome(packet.aeth.syndrome).kind;
        if (kind === 'ack') progress++;
        else if (progress > 0) kinds.add(kind);
      }
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['nak', 'rnr-nak']));
  });
});
