import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerbsError } from '../../../adapters/adapter.ts';
import type { Verbs } from '../../../adapters/adapter.ts';
import { realClock } from '../../../adapters/real-clock.ts';
import {
  neighbourConfirmations,
  neighbourReply,
  neighbourRequests,
} from '../../../adapters/verbs/neighbour.ts';
import { patientVerbs } from '../../../adapters/verbs/peer-wire.ts';
import { endpointOf, gidFacts } from '../../../adapters/verbs/ports.ts';

describe('neighbours', () => {
  const host = { mac: '02:00:00:00:00:01', ipv4: '10.78.0.4', ipv6: 'fd78::8' };
  const peer = { mac: '02:72:64:6d:61:02', ipv4: '10.78.0.5', ipv6: 'fd78::9' };
  const hex = (frame: Uint8Array | undefined): string => Buffer.from(frame ?? []).toString('hex');

  it('ask and answer by ARP', () => {
    const [request] = neighbourRequests(peer, host);
    expect(hex(request?.subarray(0, 42))).toBe(
      'ffffffffffff' +
        '0272646d6102' +
        '0806' +
        '0001080006040001' +
        '0272646d6102' +
        '0a4e0005' +
        '000000000000' +
        '0a4e0004',
    );
    const reply = neighbourReply(request ?? new Uint8Array(), host);
    expect(hex(reply?.subarray(0, 42))).toBe(
      '0272646d6102' +
        '020000000001' +
        '0806' +
        '0001080006040002' +
        '020000000001' +
        '0a4e0004' +
        '0272646d6102' +
        '0a4e0005',
    );
    expect(reply?.length).toBe(60);
  });

  it('ask and answer by IPv6 neighbour discovery', () => {
    const [, request] = neighbourRequests(peer, host);
    const reply = neighbourReply(request ?? new Uint8Array(), host);
    // checksum b6b2: computed apart from this code
    expect(hex(request)).toBe(
      '3333ff000008' +
        '0272646d6102' +
        '86dd' +
        '6000000000203aff' +
        'fd780000000000000000000000000009' +
        'ff0200000000000000000001ff000008' +
        '8700b6b200000000' +
        'fd780000000000000000000000000008' +
        '01010272646d6102',
    );
    expect(hex(reply?.subarray(0, 54))).toBe(
      '0272646d6102' +
        '020000000001' +
        '86dd' +
        '6000000000203aff' +
        'fd780000000000000000000000000008' +
        'fd780000000000000000000000000009',
    );
    const message = Buffer.from(reply?.subarray(54) ?? []);
    expect(hex(message.subarray(4))).toBe('60000000fd7800000000000000000000000000080201020000000001');
    expect(message[0]).toBe(136);
    const summed = Buffer.concat([
      Buffer.from(reply?.subarray(22, 54) ?? []),
      Buffer.from([0, 32, 0, 58]),
      message,
    ]);
    let sum = 0;
    for (let i = 0; i < summed.length; i += 2) sum += summed.readUInt16BE(i);
    expect((sum & 0xffff) + (sum >>> 16)).toBe(0xffff);
  });

  it('say of themselves, unasked, what they would answer', () => {
    const asked = neighbourRequests(host, peer);
    // the host asks by broadcast and multicast; the answers go to it alone
    const answers = asked.map((frame) => neighbourReply(frame, peer));
    expect(neighbourConfirmations(peer, host).map(hex)).toEqual(answers.map(hex));
    expect(answers).toHaveLength(2);
  });

  it('are found by the second call, where the first came too early', async () => {
    let announced = 0;
    const calls: string[] = [];
    const call = (name: string) => async (): Promise<number> => {
      calls.push(name);
      if (announced < 2) throw new VerbsError(name, 110);
      if (name === 'create_ah') throw new VerbsError(name, 22);
      return 7;
    };
    const verbs = { modify_qp: call('modify_qp'), create_ah: call('create_ah') } as unknown as Verbs;
    const patient = patientVerbs(
      verbs,
      { announce: () => void announced++ },
      { ...realClock(), sleep: () => Promise.resolve() },
    );
    expect(await patient.modify_qp(1, {})).toBe(7);
    await expect(patient.create_ah?.({ pd: 1, attr: { dgid: '', sgid_index: 0 } })).rejects.toEqual(
      new VerbsError('create_ah', 22),
    );
    expect(calls).toEqual(['modify_qp', 'modify_qp', 'modify_qp', 'create_ah']);
    announced = -100;
    await expect(patient.modify_qp(1, {})).rejects.toEqual(new VerbsError('modify_qp', 110));
  });

  it('leave every other frame alone', () => {
    const [arp = new Uint8Array(), discovery = new Uint8Array()] = neighbourRequests(peer, host);
    const reply = neighbourReply(arp, host) ?? new Uint8Array();
    for (const frame of [new Uint8Array(20), new Uint8Array(100), reply]) {
      expect(neighbourReply(frame, host)).toBeUndefined();
      expect(neighbourReply(frame, peer)).toBeUndefined();
    }
    expect(neighbourReply(arp, { ...host, ipv4: '10.78.0.6' })).toBeUndefined();
    expect(neighbourReply(discovery, { ...host, ipv6: 'fd78::7' })).toBeUndefined();
  });
});

describe('end at a port', () => {
  const v4 = '00000000000000000000ffff0a4e0004';
  const v6 = 'fd780000000000000000000000000008';
  const local = 'fe80000000000000000000fffe000001';
  const unused = '0'.repeat(32);
  const fact = (
    gid: string,
    type: string | undefined = 'RoCE v2',
  ): { gid: string; type: string | undefined; netdev: undefined } => ({
    gid,
    type,
    netdev: undefined,
  });

  it.each([
    ['the first of RoCEv2', [fact(v4, 'IB/RoCE v1'), fact(v4), fact(v6)], { ipv4: 1, ipv6: 2 }],
    ['not the link-local one, where there is another', [fact(local), fact(v6)], { ipv6: 1 }],
    ['the link-local one, where there is no other', [fact(unused), fact(local)], { ipv6: 1 }],
    [
      'any, where the kernel does not tell types',
      [{ gid: v4, type: undefined, netdev: undefined }],
      { ipv4: 0 },
    ],
  ])('has %s', (_, facts, gidIndex) => {
    expect(endpointOf(facts)?.gidIndex).toEqual(gidIndex);
  });

  it('is nowhere without a GID of RoCEv2', () => {
    expect(endpointOf([fact(unused), fact(v4, 'IB/RoCE v1')])).toBeUndefined();
  });

  it('is told by the kernel, with its MAC address', () => {
    const sysfs = mkdtempSync(join(tmpdir(), 'verbs-test-'));
    const put = (path: string, text: string): void => {
      mkdirSync(join(sysfs, path, '..'), { recursive: true });
      writeFileSync(join(sysfs, path), `${text}\n`);
    };
    const attributes = 'class/infiniband/mlx5_0/ports/1/gid_attrs';
    put(`${attributes}/types/0`, 'IB/RoCE v1');
    put(`${attributes}/types/1`, 'RoCE v2');
    put(`${attributes}/ndevs/1`, 'eth7');
    put('class/net/eth7/address', '02:00:00:00:00:07');
    const facts = gidFacts('mlx5_0', [v4, v4, unused], sysfs);
    expect(facts[2]).toEqual({ gid: unused, type: undefined, netdev: undefined });
    expect(endpointOf(facts, sysfs)).toEqual({
      mac: '02:00:00:00:00:07',
      ipv4: '10.78.0.4',
      gidIndex: { ipv4: 1 },
    });
    rmSync(sysfs, { recursive: true });
  });
});
