import fc from 'fast-check';
import { everyKind, message, packetsOf, type Message } from '../../arbitraries/message.ts';
import { inject, recvs, settle } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { PacketPlan, Step } from '../../scenario.ts';

/** The requests of a message: over the path in use with MigReq 0, or over the alternate one with MigReq 1. */
function requests(m: Message, mtu: number, more: Partial<PacketPlan>): Step[] {
  return packetsOf(m, mtu).map((plan) => inject({ ...plan, ...more }));
}

const staying: Partial<PacketPlan> = { defect: { kind: 'ignored', field: 'mig-req' } };
const moved: Partial<PacketPlan> = { path: 'other-ip' };

export const migrationFollowed: SuiteProperty = {
  id: 'rc-responder/migration-followed',
  suite: 'rc-responder',
  requires: ['apm'],
  says: 'A responder whose peer has migrated takes requests over the alternate path alone, and answers there.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        first: message(profile, everyKind, 1),
        asking: message(profile, everyKind, 2),
        after: fc.array(message(profile, everyKind, 1), { minLength: 1, maxLength: 2 }),
        late: fc.boolean(),
        rests: fc.boolean(),
      }),
      ({ mtu }, { first, asking, after, late, rests }) => {
        // of a device of one IP version the alternate path leads to the same address
        const over = profile.ipVersions.length > 1 ? moved : {};
        return {
          steps: [
            ...recvs(6, 2 * mtu + 64),
            {
              do: 'modify_qp',
              at: 'responder',
              attr: {
                alt_ah_attr: profile.ipVersions.length > 1 ? 'other-ip' : 'peer',
                alt_pkey_index: 0,
                alt_port_num: 1,
                alt_timeout: 14,
                path_mig_state: 'IBV_MIG_REARM',
              },
            },
            ...requests(first, mtu, staying),
            settle,
            ...requests(asking, mtu, over),
            ...(rests ? [settle] : []),
            ...after.flatMap((one) => requests(one, mtu, over)),
            settle,
            // what comes over the path that was left is nothing to it any more
            ...(late ? requests(first, mtu, {}) : []),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: [
    'rc-response-addressee',
    'rc-migration-followed',
    'rc-migration-announced',
    'rc-drop-foreign-source',
  ],
};
