import type { Profile } from '../../adapters/adapter.ts';

/** A device that has everything the generators may use. */
export const profile: Profile = {
  name: 'everything',
  capabilities: ['rc', 'uc', 'ud', 'atomic', 'srq', 'uc-srq', 'port-events', 'srq-resize'],
  pathMtus: [256, 512, 1024, 2048, 4096],
  ipVersions: [4, 6],
  limits: { maxDestRdAtomic: 16, maxMessageBytes: 2 ** 31, maxQps: 64 },
  clock: 'virtual',
  responseTime: 100_000,
  concurrency: 1,
};
