import type { JobKind } from '../rc-requester/jobs.ts';
import type { Service } from '../verbs/parts.ts';

/** Values of the fact `reason` that a case can bring about. */
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
  | 'remote-end'
  | 'remote-right'
  | 'misaligned'
  | 'no-resources';

/** Reasons that are tried together. */
export type Group = 'sound' | 'local' | 'unheard' | 'receive' | 'remote' | 'answered';

const groups: Record<Group, readonly Reason[]> = {
  sound: ['none'],
  local: ['local-key', 'local-operation'],
  unheard: ['unreachable', 'no-receive', 'wrong-qkey'],
  receive: ['short-receive', 'receive-key'],
  remote: ['remote-key', 'remote-end', 'remote-right'],
  answered: ['remote-key', 'remote-end', 'remote-right', 'misaligned', 'no-resources'],
};

/** Reasons of a group that can be had from ibv_reg_mr, the QPs' attributes and the work requests alone. */
export function reasonsFor(service: Service, kind: JobKind, group: Group): readonly Reason[] {
  const send = kind === 'send' || kind === 'send-imm';
  const atomic = kind === 'fetch-add' || kind === 'cmp-swap';
  const impossible: Reason[] = [
    ...(service === 'UD' ? [] : (['wrong-qkey'] as const)),
    ...(send || kind === 'write-imm' ? [] : (['no-receive'] as const)),
    ...(atomic ? (['remote-end'] as const) : (['misaligned'] as const)),
    ...(atomic || kind === 'read' ? [] : (['no-resources'] as const)),
  ];
  return groups[group].filter((reason) => !impossible.includes(reason));
}

/** Operations that can fail for the reasons of a group. */
export function kindsFor(group: Group, kinds: readonly JobKind[]): readonly JobKind[] {
  const send: readonly JobKind[] = ['send', 'send-imm'];
  const write: readonly JobKind[] = ['write', 'write-imm'];
  switch (group) {
    case 'receive':
      return kinds.filter((kind) => send.includes(kind));
    case 'remote':
      return kinds.filter((kind) => write.includes(kind));
    case 'answered':
      return kinds.filter((kind) => !send.includes(kind) && !write.includes(kind));
    case 'sound':
    case 'local':
    case 'unheard':
      return kinds;
  }
}
