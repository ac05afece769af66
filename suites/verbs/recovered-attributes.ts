import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Role, Step } from '../scenario.ts';
import { post, query, receives, recover, scenarios, settle, wrOf, type Service } from './parts.ts';

const at: Role = 'responder';
const formerQkey = 0x1111_1111;
const qkeys = [0x2222_2222, 0, 0x7fff_ffff, 0x8000_0001] as const;

/** From SQE to RTS with what the transition takes beside the state. */
function recovered(attr: AttrPlan): Step {
  return { ...recover(at), attr };
}

/** The rights of a QP that lets others write, or does not. */
function rights(profile: Profile, writes: boolean): AttrPlan['qp_access_flags'] {
  return fullAccess(profile).filter((flag) => writes || !flag.startsWith('IBV_ACCESS_REMOTE_'));
}

function write(place: number): Step[] {
  const target = { region: 0, offset: 8 * place, length: 8 };
  return [inject(packet('RDMA_WRITE_ONLY', { payload: { mtus: 0, bytes: 8 }, target })), settle];
}

function datagram(qkey: number): Step[] {
  return [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 }, qkey })), settle];
}

export const recoveredAttributes: SuiteProperty = {
  id: 'verbs/recovered-attributes',
  suite: 'verbs',
  says: 'A QP that software takes back from SQE goes by the rights, or the Q_Key, that it is given on the way.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['UC', 'UD'],
      fc.record({
        qkey: fc.constantFrom(...qkeys),
        before: fc.boolean(),
        behind: fc.boolean(),
        fault: fc.constantFrom('lkey' as const, 'bounds' as const, 'deregistered' as const),
        used: fc.boolean(),
        asks: fc.boolean(),
        twice: fc.boolean(),
      }),
      ({ service }: { service: Service }, { qkey, before, behind, fault, used, asks, twice }) => {
        const fails: Step[] = [
          post(at, wrOf({ length: 8, signaled: true }, { localFault: fault })),
          settle,
          ...(asks ? [query] : []),
        ];
        const own: Step[] = [
          post(at, wrOf({ length: 16, signaled: true }, { ...(service === 'UD' && { qkey: 0x8000_0000 }) })),
          settle,
        ];
        const attr: AttrPlan =
          service === 'UD' ? { qkey } : { qp_access_flags: rights(profile, behind) ?? [] };
        const uses: Step[] =
          service === 'UD'
            ? [...datagram(qkey), ...datagram(formerQkey), ...datagram(qkey)]
            : [...write(1), ...write(2)];
        return {
          plan: service === 'UD' ? { qkey: formerQkey } : { access: rights(profile, before) ?? [] },
          steps: [
            ...receives(at, service, 8),
            settle,
            ...(used ? (service === 'UD' ? datagram(formerQkey) : write(0)) : []),
            ...fails,
            recovered(attr),
            ...(asks ? [query] : []),
            ...uses,
            ...own,
            ...(twice ? [...fails, recover(at), ...uses, ...own] : []),
            query,
          ],
        };
      },
    ),
  aims: ['uc-access-denied', 'ud-receive-completes', 'ud-request-qkey', 'qp-query-rights'],
};
