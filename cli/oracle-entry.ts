/** The entry `rdma-conform/oracle`: the rules and the judge, which checks the traces that it is given. */
export * from '../oracle/index.ts';
export { judgeTrace } from './judge/library.ts';
