/** The entry `rdma-conform/suites`: the suites, whose devices may also be what `--adapter` takes. */
export * from '../suites/index.ts';
export { openConformance, replayCase, runConformance } from './adapter/library.ts';
