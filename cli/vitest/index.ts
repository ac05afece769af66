/** For vitest: one test per property of the suites, on any device. */
export { describeConformance } from './describe.ts';
export type { DescribeOptions } from './options.ts';
export type { ConformanceMeta } from './meta.ts';
