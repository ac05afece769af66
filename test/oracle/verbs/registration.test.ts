import { describe, expect, it } from 'vitest';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { VerbsTrace } from './trace.ts';

const EINVAL = 22;

class Registering extends VerbsTrace {
  asks(access: AccessFlag[], errno?: number): this {
    const made = { mr: 9, addr: 0x90000n, length: 64, lkey: 0x99, rkey: 0x9a };
    return this.call({ call: 'reg_mr', pd: 1, access, ...made }, errno);
  }
}

const broken = (access: AccessFlag[], errno?: number): string[] =>
  new Registering().asks(access, errno).broken();

describe('rights of a memory region', () => {
  it('let others write where software may write as well', () => {
    expect(broken(['IBV_ACCESS_REMOTE_WRITE'])).toEqual(['register-remote-write']);
    expect(broken(['IBV_ACCESS_REMOTE_ATOMIC'])).toEqual(['register-remote-atomic']);
    expect(broken(['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC'])).toEqual([
      'register-remote-write',
    ]);
    for (const right of ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC'] as const) {
      expect(broken([right], EINVAL)).toEqual([]);
      expect(broken(['IBV_ACCESS_LOCAL_WRITE', right])).toEqual([]);
    }
  });

  it('may be refused for other reasons', () => {
    expect(broken(['IBV_ACCESS_REMOTE_READ'])).toEqual([]);
    expect(broken([])).toEqual([]);
    expect(broken(['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC'], EINVAL)).toEqual([]);
  });
});
