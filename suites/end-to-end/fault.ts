import type { LocalFault, QpPlan, RegionPlan, Step, WrPlan } from '../scenario.ts';
import type { Reason } from './reasons.ts';

/** What a scenario needs so that one work request fails for one reason. */
export interface Planned {
  wr: WrPlan;
  /** receive WQE for it, where it takes one and shall find it */
  receive?: Extract<Step, { do: 'post_recv' }>;
  /** steps in front of it */
  before: Step[];
  responder?: Partial<QpPlan>;
  region?: Partial<RegionPlan>;
}

export interface Options {
  local: LocalFault;
  /** a remote fault: the key itself, the range, the right, the PD, or that the region is gone */
  remote: 'key' | 'range' | 'right' | 'foreign-pd' | 'deregistered';
  rawOpcode: number;
  /** bytes in front of the payload in a receive buffer */
  header: number;
  /** bytes that the port takes in one message */
  most: number;
  /** times that the memory of a message that is too long is named */
  repeat: number;
}

const rights = {
  IBV_WR_RDMA_WRITE: 'IBV_ACCESS_REMOTE_WRITE',
  IBV_WR_RDMA_WRITE_WITH_IMM: 'IBV_ACCESS_REMOTE_WRITE',
  IBV_WR_RDMA_READ: 'IBV_ACCESS_REMOTE_READ',
  IBV_WR_ATOMIC_CMP_AND_SWP: 'IBV_ACCESS_REMOTE_ATOMIC',
  IBV_WR_ATOMIC_FETCH_AND_ADD: 'IBV_ACCESS_REMOTE_ATOMIC',
} as const;

function rightOf(wr: WrPlan): string | undefined {
  return wr.opcode in rights ? rights[wr.opcode as keyof typeof rights] : undefined;
}

/** Plans `wr` so that it meets `reason` and nothing else is wrong. */
export function planned(wr: WrPlan, reason: Reason, access: QpPlan['access'], options: Options): Planned {
  const takes = wr.opcode.startsWith('IBV_WR_SEND') || wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';
  const receive = { do: 'post_recv', length: wr.length + options.header } as const;
  const sound: Planned = { wr, before: [], ...(takes && { receive }) };
  const without = access.filter((flag) => flag !== rightOf(wr));
  switch (reason) {
    case 'none':
      return sound;
    case 'local-key':
      return { ...sound, wr: { ...wr, localFault: options.local } };
    case 'local-operation':
      return { ...sound, wr: { ...wr, rawOpcode: options.rawOpcode } };
    case 'local-length': {
      const { wr: work } = sound;
      const { most, repeat } = options;
      return {
        wr: { ...work, length: Math.floor(most / repeat) + 1, repeat, offset: 0 },
        before: [],
      };
    }
    case 'unreachable':
      return { ...sound, before: [{ do: 'modify_qp', at: 'responder', state: 'IBV_QPS_ERR' }] };
    case 'wrong-qkey':
      return { ...sound, wr: { ...wr, qkey: 0x2222 } };
    case 'no-receive':
      return { wr, before: [] };
    case 'short-receive':
      return { ...sound, receive: { ...receive, length: Math.max(0, receive.length - 1) } };
    case 'receive-key':
      return { ...sound, receive: { ...receive, localFault: options.local } };
    case 'remote-right':
      return { ...sound, responder: { access: without } };
    case 'misaligned':
      return { ...sound, wr: { ...wr, offset: wr.offset + 4 } };
    case 'no-resources':
      return { ...sound, responder: { maxDestRdAtomic: 0 } };
    case 'remote-key':
      return remote(sound, options.remote, without);
    case 'remote-end':
      return remote(sound, 'range', without);
  }
}

function remote(sound: Planned, how: Options['remote'], without: QpPlan['access']): Planned {
  const { wr } = sound;
  switch (how) {
    case 'key':
      return { ...sound, wr: { ...wr, badRkey: true } };
    case 'range':
      return { ...sound, region: { length: Math.max(1, wr.offset + wr.length - 1) } };
    case 'right':
      return { ...sound, region: { access: without } };
    case 'foreign-pd':
      return { ...sound, region: { foreignPd: true } };
    case 'deregistered':
      return { ...sound, before: [{ do: 'dereg_mr', region: 0 }] };
  }
}
