import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCapture, writePcap } from '../../../wire/index.ts';
import { scapyMissing, tunnelled } from '../../wire/scapy-tunnels.ts';
import { answer, conversation, sendOnly, stamped } from '../captures.ts';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

/** Ethernet headers are not the same where a tunnel carries IP alone. */
const withoutEthernet = (key: string, value: unknown): unknown =>
  key === 'frame' && typeof value === 'string' ? value.slice(24) : value;

/** What `check` says of frames, each in a tunnel, and one microsecond apart. */
async function check(
  frames: readonly (readonly [tunnel: string, frame: Uint8Array])[],
  ...flags: string[]
): Promise<{ code: number | null; stdout: string; json: unknown }> {
  writeFileSync(join(folder.path, 'a.pcap'), writePcap(stamped(tunnelled(frames))));
  const { code, stdout } = await runHere(['check', 'a.pcap', '--no-color', ...flags], { cwd: folder.path });
  const told = await runHere(['check', 'a.pcap', '--reporter', 'json', ...flags], { cwd: folder.path });
  const { durationMs: _time, ...json } = JSON.parse(told.stdout, withoutEthernet) as Record<string, unknown>;
  return { code, stdout: stdout.replace(/, [\d.]+ s\n/, '\n'), json };
}

/** An Acknowledge whose MSN is beyond all messages sent is the last frame. */
const wrong = [...conversation(4, 100), sendOnly(104), answer(104, 9)];

describe.skipIf(scapyMissing !== undefined)(
  `check of packets in tunnels${scapyMissing ? ` (${scapyMissing})` : ''}`,
  () => {
    it.each(['vxlan', 'gre', 'erspan-2'])('says the same as without %s', async (tunnel) => {
      const plain = await check(wrong.map((frame) => ['none', frame]));
      const within = await check(wrong.map((frame) => [tunnel, frame]));
      expect(plain.code).toBe(1);
      expect(within).toEqual(plain);
    });

    it('takes two copies of each packet, plain and mirrored, for copies', async () => {
      const sound = conversation(40, 100);
      const twice = sound.flatMap((frame) => [['none', frame] as const, ['erspan-2', frame] as const]);
      const { code, stdout } = await check(twice);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Every frame is there twice/),
      });
      const plain = await check(
        sound.flatMap((frame) => [['none', frame] as const, ['none', frame] as const]),
      );
      expect(stdout).toBe(plain.stdout);
    });

    it('judges one network where two use the same addresses, and says so', async () => {
      const one = conversation(4, 100);
      const other = conversation(4, 5000);
      const mixed = one.flatMap((frame, i) => [
        ['vxlan', frame] as const,
        ['vxlan-other', other[i]!] as const,
      ]);
      const { code, stdout } = await check(mixed);
      expect(code).toBe(2);
      expect(stdout).toContain(
        '8 packets have the same addresses in another network (VXLAN 6 beside VXLAN 5)',
      );
      expect(stdout).toContain('16 frames, 8 RoCEv2 packets judged');
      expect((await check(one.map((frame) => ['vxlan', frame]))).code).toBe(0);
    });

    it('tells of what is in a tunnel and no RoCEv2 packet, and notes verdicts on the frames around', async () => {
      const other = sendOnly(1);
      other[23] = 6;
      const frames = [...wrong, other].map((frame) => ['vxlan', frame] as const);
      const { stdout } = await check(frames, '--annotate', 'noted.pcapng');
      expect(stdout).toContain('in VXLAN: IP protocol 6');
      const noted = [...readCapture(join(folder.path, 'noted.pcapng'))].flatMap((record) =>
        record.kind === 'frame' && record.comments.length > 0 ? [[record.number, record.data]] : [],
      );
      expect(noted).toEqual([[10, tunnelled([frames[9]!])[0]]]);
    });
  },
);
