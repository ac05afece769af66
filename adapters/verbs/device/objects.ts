import type { QpType } from '../../../spec/verbs.ts';
import type { Pointer } from '../ffi.ts';
import { Handles } from './handles.ts';
import type { Memory } from './memory.ts';

/** A memory region of libibverbs. */
export interface Mr {
  readonly pointer: Pointer;
  memory: Memory;
  /** by which work requests and packets name it */
  addr: bigint;
  pd: number;
}

export interface Qp {
  readonly pointer: Pointer;
  readonly type: QpType;
}

/** All objects of a device. Numbers grow over all kinds, and none is used again. */
export interface Objects {
  readonly pds: Handles<Pointer>;
  readonly mrs: Handles<Mr>;
  readonly mws: Handles<Pointer>;
  readonly ahs: Handles<Pointer>;
  readonly cqs: Handles<Pointer>;
  readonly srqs: Handles<Pointer>;
  readonly qps: Handles<Qp>;
}

export function noObjects(): Objects {
  let last = 0;
  const kind = <T>(): Handles<T> => new Handles<T>(() => ++last);
  return { pds: kind(), mrs: kind(), mws: kind(), ahs: kind(), cqs: kind(), srqs: kind(), qps: kind() };
}
