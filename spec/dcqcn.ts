import type { CnpScope, CongestionProfile, DcqcnParameters } from './congestion.ts';
import { loadSpecYaml } from './load.ts';

/** Names of the sets of parameters in spec/constants/dcqcn.yaml. */
export type DcqcnProfileName = 'paper' | 'nvidia' | 'ns3' | 'brisk';

/**
 * How far a device may be from what the rules compute; shares, but for `burst`, which counts packets of the path MTU, and `path` and
 * `port`, nanoseconds.
 */
export interface DcqcnTolerance {
  rate: number;
  alpha: number;
  pace: number;
  burst: number;
  path: number;
  port: number;
  marks: number;
}

/** g by either convention: weight of the newest slot, or of what alpha was. */
type Weight = { newest: number } | { kept: number };

interface DcqcnFile {
  tolerance: DcqcnTolerance;
  profiles: Record<
    DcqcnProfileName,
    {
      says: string;
      lineRate: number;
      cnp: { interval: number; scope: CnpScope };
      dcqcn: Omit<DcqcnParameters, 'g'> & { g: Weight };
    }
  >;
}

/** A set of parameters with its name, as a device declares it. */
export interface NamedCongestionProfile extends CongestionProfile {
  says: string;
  dcqcn: DcqcnParameters;
}

// the file is the package's own, and test/spec checks it against its JSON Schema
let file: DcqcnFile | undefined;
const read = (): DcqcnFile => (file ??= loadSpecYaml('constants/dcqcn.yaml') as DcqcnFile);

/** Weight of the newest slot, whichever way round it was written. */
export function newestWeight(g: Weight): number {
  return 'newest' in g ? g.newest : 1 - g.kept;
}

export const dcqcnProfileNames: readonly DcqcnProfileName[] = ['paper', 'nvidia', 'ns3', 'brisk'];

/** Parameters by name, `g` by the convention of DcqcnParameters. Read from the file when first asked for. */
export function dcqcnProfile(name: DcqcnProfileName): NamedCongestionProfile {
  const { says, lineRate, cnp, dcqcn } = read().profiles[name];
  return { says, lineRate, cnp: { ...cnp }, dcqcn: { ...dcqcn, g: newestWeight(dcqcn.g) } };
}

export function dcqcnTolerance(): DcqcnTolerance {
  return read().tolerance;
}
