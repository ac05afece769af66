import { describe, expect, it } from 'vitest';
import type { Adapter, Bench } from '../../adapters/adapter.ts';
import { VerbsError } from '../../adapters/errors.ts';
import { referenceAdapter } from '../../adapters/reference/adapter.ts';
import { smoke } from '../../cli/smoke/run.ts';
import type { Checked } from '../../cli/smoke/step.ts';
import { decode } from '../../wire/index.ts';

const EOPNOTSUPP = 95;

/** The reference NIC as a requester only: it drops each packet that has no AETH, and lacks the opcodes of `without`. */
function requesterOnly(without: readonly string[]): Adapter {
  const reference = referenceAdapter();
  const part = (bench: Bench): Bench => {
    const { wire, verbs } = bench;
    if (wire === undefined) throw new Error('it has no wire');
    const post_send: typeof verbs.post_send = async (qp, wr, next) => {
      if (without.includes(wr.opcode)) throw new VerbsError('post_send', EOPNOTSUPP);
      return verbs.post_send(qp, wr, next);
    };
    const send: typeof wire.send = (frame) => {
      const decoded = decode(frame);
      if (decoded.kind === 'packet' && decoded.packet.aeth === undefined) return;
      wire.send(frame);
    };
    return {
      ...bench,
      verbs: new Proxy(verbs, { get: (of, key) => (key === 'post_send' ? post_send : Reflect.get(of, key)) }),
      wire: { send, onFrame: (listener) => wire.onFrame(listener) },
    };
  };
  return { ...reference, open: async (options) => part(await reference.open(options)) };
}

async function notes(adapter: Adapter): Promise<Checked[]> {
  const { checked } = await smoke({ adapter, limit: 30, onChecked: () => undefined, log: () => undefined });
  return checked.filter(({ verdict }) => verdict === 'note');
}

describe('smoke of a device that is a requester only', () => {
  it('names the suite of requesters, and what the requester does not have', async () => {
    const told = await notes(requesterOnly(['IBV_WR_RDMA_READ']));
    expect(told.map(({ name }) => name)).toEqual(['post_send of a READ', 'responder']);
    expect(told[0]?.says).toMatch(/^refused with errno 95: its requester does not have it/);
    expect(told[1]?.says).toMatch(/--suite rc-requester$/);
  });

  it('names the suite of responders where no work request is taken', async () => {
    const told = await notes(requesterOnly(['IBV_WR_SEND']));
    expect(told.map(({ name }) => name)).toEqual(['post_send']);
    expect(told[0]?.says).toMatch(/--suite rc-responder$/);
  });

  it('says nothing of the kind where requests are answered', async () => {
    expect(await notes(referenceAdapter())).toEqual([]);
  });
});
