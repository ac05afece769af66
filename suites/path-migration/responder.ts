import fc from 'fast-check';
import { everyKind, message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';

/** The requests of a message with MigReq 0. */
function staying(m: Message, mtu: number): Step[] {
  return packetsOf(m, mtu).map((p) => inject({ ...p, defect: { kind: 'ignored', field: 'mig-req' } }));
}

export const pathMigration: SuiteProperty = {
  id: 'rc-responder/path-migration',
  suite: 'rc-responder',
  says: 'Requests with MigReq 0 arm a QP that waits for its peer; one with MigReq 1 takes it to its alternate path if it came over that, and is refused otherwise.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        first: message(profile, everyKind, 1),
        asking: message(profile, everyKind, 1),
        last: message(profile, everyKind, 1),
        path: fc.constantFrom(
          'peer' as const,
          profile.ipVersions.length > 1 ? ('other-ip' as const) : ('peer' as const),
        ),
        armed: fc.constantFrom(true, true, false),
        asks: fc.boolean(),
      }),
      ({ mtu }, { first, asking, last, path, armed, asks }) => ({
        steps: [
          ...recvs(4, mtu + 64),
          {
            do: 'modify_qp' as const,
            at: 'responder' as const,
            attr: {
              alt_ah_attr: path,
              alt_pkey_index: 0,
              alt_port_num: 1,
              alt_timeout: 14,
              path_mig_state: 'IBV_MIG_REARM' as const,
            },
          },
          ...(armed ? staying(first, mtu) : send(first, mtu)),
          settle,
          ...(asks ? [...send(asking, mtu), settle] : []),
          ...(armed ? staying(last, mtu) : []),
          settle,
        ],
      }),
    ),
  aims: ['rc-drop-path-refused', 'rc-migration-refusal-announced', 'rc-mig-req-armed'],
};
