import type { Adapter } from '../../adapters/index.ts';
import { choicesOf } from '../../suites/corpus/choices.ts';
import type { Build, MakingBuild } from './build.ts';

/** The same device of both builds. */
export interface Devices {
  before: Adapter;
  after: Adapter;
}

/** Devices of both builds: the first as the reference NIC is by default, the others with other choices. */
export function allDevices(before: MakingBuild, after: Build): Devices[] {
  return [{}, ...choicesOf(before.defaultConfig)].map((responder) => ({
    before: before.referenceAdapter({ responder }),
    after: after.referenceAdapter({ responder }),
  }));
}
