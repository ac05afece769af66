import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { post, query, receive, scenarios, settle, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

/** Uses of memory by the wrong one of the two keys of a region: of the far end by the L_Key, of software by the R_Key. */
const uses = ['WRITE', 'receive', 'READ', 'post SEND', 'ATOMIC', 'post READ'] as const;
type Use = (typeof uses)[number];

const used: Grid<Use> = {
  name: 'use of memory by the wrong one of its two keys',
  cells: (profile) => uses.filter((use) => use !== 'ATOMIC' || hasAtomics(profile)),
};

const payload = { mtus: 0, bytes: 8 };

function request(operation: string, key: 'good' | 'local'): Step {
  return inject(
    packet(operation, {
      ...(operation.includes('WRITE') && { payload }),
      target: { region: 0, offset: 8, length: 8, rkey: key },
      ...(operation === 'FETCH_ADD' && { atomic: { compare: '0', swapOrAdd: '3' } }),
    }),
  );
}

const operations: Readonly<Partial<Record<Use, string>>> = {
  WRITE: 'RDMA_WRITE_ONLY',
  READ: 'RDMA_READ_REQUEST',
  ATOMIC: 'FETCH_ADD',
};

function steps(use: Use, sound: boolean): Step[] {
  const operation = operations[use];
  if (operation !== undefined)
    return [...(sound ? [request(operation, 'good'), settle] : []), request(operation, 'local')];
  const first = receive(at, 'RC');
  const message = inject(packet('SEND_ONLY', { payload }));
  if (use === 'receive')
    return [
      ...(sound ? [first, message] : []),
      { do: 'post_recv', at, length: 64, localFault: 'rkey' },
      message,
    ];
  const opcode = use === 'post READ' ? 'IBV_WR_RDMA_READ' : 'IBV_WR_SEND';
  return [post(at, wrOf({ length: 8, signaled: true }, { opcode, localFault: 'rkey' }))];
}

export const keysApart: SuiteProperty = {
  id: 'verbs/keys-apart',
  suite: 'verbs',
  says: 'The L_Key of a region opens nothing to the far end, and its R_Key nothing to software, where they are two numbers.',
  arbitrary: (profile: Profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({ use: anyCell(used, profile), sound: fc.boolean() }),
      (_, { use, sound }) => ({ steps: [...steps(use, sound), settle, query] }),
    ),
  grids: [used],
  aims: ['rc-remote-access-denied', 'rc-receive-buffer-faulty', 'send-key-unregistered'],
};
