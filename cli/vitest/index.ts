/** For vitest: one test per property of the suites, on a device of one's own. */
export { describeConformance, type DescribeOptions } from './describe.ts';
export type { ConformanceMeta } from './meta.ts';
