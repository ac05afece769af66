import type { JobKind } from '../rc-requester/jobs.ts';

/** What is wrong with a work request; the fact `reason` of the tables of effects. */
export type Reason =
  | 'none'
  | 'local-key'
  | 'local-operation'
  | 'local-length'
  | 'unreachable'
  | 'wrong-qkey'
  | 'no-receive'
  | 'short-receive'
  | 'receive-key'
  | 'remote-key'
  | 'remote-right'
  | 'misaligned'
  | 'no-resources';

export type Service = 'RC' | 'UC' | 'UD';

/** Reasons that can be had from ibv_reg_mr, the QPs' attributes and the work requests alone, by service and operation. */
export function reasonsFor(service: Service, kind: JobKind): readonly Reason[] {
  const send = kind === 'send' || kind === 'send-imm';
  const takes = send || kind === 'write-imm';
  const answered = kind === 'read' || kind === 'fetch-add' || kind === 'cmp-swap';
  return [
    'none',
    'local-key',
    'local-operation',
    'unreachable',
    ...(service === 'UD' ? (['wrong-qkey'] as const) : []),
    ...(takes ? (['no-receive'] as const) : []),
    ...(send ? (['short-receive', 'receive-key'] as const) : (['remote-key', 'remote-right'] as const)),
    ...(kind === 'fetch-add' || kind === 'cmp-swap' ? (['misaligned'] as const) : []),
    ...(answered ? (['no-resources'] as const) : []),
  ];
}
