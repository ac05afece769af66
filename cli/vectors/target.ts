import type { Adapter, Endpoint, Profile } from '../../adapters/adapter.ts';
import { integer, object, ShapeError, wide } from '../../adapters/agent/check.ts';
import { endpoint, profile } from '../../adapters/agent/profile.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import { readText } from '../files/read-text.ts';

/** The device that vectors are for: what it can do, where it is, and the numbers that it uses. */
export interface Target {
  profile: Profile;
  dut: Endpoint;
  peer: Endpoint;
  /** of the first QP and of the first region; each further QP is one higher, each further key 0x100 */
  firstQp: number;
  firstKey: number;
  firstAddress: bigint;
}

const shape = object(
  {},
  { profile, dut: endpoint, peer: endpoint, firstQp: integer, firstKey: integer, firstAddress: wide },
);

/** A responder of RC over IPv4: what the smallest bench can play. */
const smallest: Target = {
  profile: {
    name: 'target',
    capabilities: ['rc'],
    pathMtus: [256, 512, 1024, 2048, 4096],
    ipVersions: [4],
    limits: { maxDestRdAtomic: 16, maxMessageBytes: 1 << 20, maxQps: 1024 },
    clock: 'virtual',
    responseTime: 20_000,
    concurrency: 1,
  },
  dut: { mac: '02:00:00:00:00:01', ipv4: '10.0.0.1', gidIndex: { ipv4: 0 } },
  peer: { mac: '02:00:00:00:00:02', ipv4: '10.0.0.2', gidIndex: { ipv4: 0 } },
  firstQp: 0x11,
  firstKey: 0x100,
  firstAddress: 0x10000n,
};

/** The file of `--target`, whose missing keys are those of the smallest bench; without a file, that bench. Throws a usage error. */
export function readTarget(file: string | undefined, directory: string): Target {
  if (file === undefined) return smallest;
  const text = readText(file, directory);
  try {
    const target = { ...smallest, ...shape(JSON.parse(text), 'target') };
    if (target.firstQp < 2 || target.firstQp > 0xff_0000)
      throw new ShapeError('target.firstQp', 'from 2 to 0xff0000', target.firstQp);
    if (target.profile.clock !== 'virtual')
      throw new ShapeError('target.profile.clock', 'virtual: a bench keeps the times of the vectors', 'real');
    return target;
  } catch (thrown) {
    throw usageError(`${file} is no target: ${messageOf(thrown)}`);
  }
}

/**
 * The reference NIC in the place of the target: what is sent to it is what a bench will send to the target. Throws a usage error
 * where the target can do what the reference NIC cannot.
 */
export async function inPlaceOf(target: Target): Promise<Adapter> {
  const able = await referenceAdapter().describe();
  const unable = target.profile.capabilities.filter((word) => !able.capabilities.includes(word));
  if (unable.length > 0) throw usageError(`no vectors can be made for the capabilities ${unable.join(', ')}`);
  return referenceAdapter({ place: target });
}
