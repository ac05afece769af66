import { cnpReservedBytes } from '../../../../spec/constants.ts';
import { psnDiff, type Packet } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { Fields } from '../../device/headers.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { cnpDestination, cnpFields } from '../cnp.ts';
import { cnpInterval, isMarked, notify, scopeOf } from '../notification.ts';
import type { CongestionSettings } from '../settings.ts';

/** Nanoseconds that a CNP comes late. */
const late = 60_000;

type Making = (core: Core, settings: CongestionSettings, marked: Packet) => Fields;

/** Something is wrong in a CNP; `dscp`: that of CNPs, in its place in the traffic class. */
const spoiling =
  (spoil: (marked: Packet, dscp: number) => Partial<Fields>) =>
  (sound: Making, core: Core, settings: CongestionSettings, marked: Packet): Fields => ({
    ...sound(core, settings, marked),
    ...spoil(marked, settings.cnpDscp << 2),
  });

type Marked = (core: Core, qp: QueuePair, packet: Packet) => boolean;

/** Marks of some requests of RC are not seen; `side`: of those ahead of the expected PSN, or of duplicates. */
const overlooking =
  (side: 1 | -1) =>
  (sound: Marked, core: Core, qp: QueuePair, packet: Packet): boolean => {
    const request = qp.service === 'RC' && packet.info?.kind === 'request';
    const overlooked = request && psnDiff(packet.psn, qp.responder.epsn) * side > 0;
    return !overlooked && sound(core, qp, packet);
  };

function neighbourOf(ip: string): string {
  return ip.replace(/.$/, (last) => (last === '7' ? '8' : '7'));
}

/** the QP that the first CNP of a device named */
const firstSource = new WeakMap<Core, number>();

export const notifyingFaults = [
  faultsAt(isMarked, {
    'ce-unanswered': () => false,
    'ce-unanswered-in-rtr': (sound, core, qp, packet) =>
      qp.state !== 'IBV_QPS_RTR' && sound(core, qp, packet),
    'ce-unanswered-in-sqd': (sound, core, qp, packet) =>
      qp.state !== 'IBV_QPS_SQD' && sound(core, qp, packet),
    'ce-read-in-dscp': (_sound, _core, _qp, { trafficClass }) => ((trafficClass >> 2) & 3) === 3,
    'cnp-for-any-ecn': (_sound, _core, _qp, { ecn }) => ecn !== 0,
    'cnp-for-fecn': (sound, core, qp, packet) => packet.fecn || sound(core, qp, packet),
    'cnp-not-for-ahead': overlooking(1),
    'cnp-not-for-duplicates': overlooking(-1),
    'cnp-not-for-middle-responses': (sound, core, qp, packet) =>
      packet.info?.operation !== 'RDMA_READ_RESPONSE_MIDDLE' && sound(core, qp, packet),
  }),

  faultsAt(cnpInterval, {
    'cnp-per-packet': () => 0,
    'cnp-once': () => Infinity,
    'cnp-interval-halved': (sound, core, interval) => sound(core, interval) / 2,
  }),

  faultsAt(scopeOf, {
    'cnp-paced-by-port': () => '',
    'cnp-paced-by-own-qp': (_sound, _core, _scope, qp) => `${qp.num}`,
  }),

  faultsAt(notify, {
    'ce-raises-event': (sound, core, settings, qp, packet) => {
      core.raise({ event_type: 'IBV_EVENT_QP_REQ_ERR', qp_num: qp.num });
      sound(core, settings, qp, packet);
    },
    'cnp-repeated': (sound, core, settings, qp, packet) => {
      core.clock.setTimer(settings.cnp.interval, () => sound(core, settings, qp, packet));
      sound(core, settings, qp, packet);
    },
    'cnp-late': (sound, core, settings, qp, packet) => {
      core.clock.setTimer(late, () => sound(core, settings, qp, packet));
    },
  }),

  faultsAt(cnpDestination, {
    'cnp-to-neighbour': (sound, core, qp, marked) => {
      const { remote, ...to } = sound(core, qp, marked);
      return { ...to, remote: remote && { ...remote, ip: neighbourOf(remote.ip) } };
    },
    'cnp-names-own-qp': (sound, core, qp, marked) => ({ ...sound(core, qp, marked), destQp: qp.num }),
    'cnp-names-first-source': (sound, core, qp, marked) => {
      const to = sound(core, qp, marked);
      const first = firstSource.get(core) ?? to.destQp;
      firstSource.set(core, first);
      return qp.service === 'UD' ? { ...to, destQp: first } : to;
    },
  }),

  faultsAt(cnpFields, {
    'cnp-psn-of-packet': spoiling(({ psn }) => ({ psn })),
    'cnp-without-becn': spoiling(() => ({ becn: false })),
    'cnp-with-fecn': spoiling(() => ({ fecn: true })),
    'cnp-solicited': spoiling(() => ({ solicited: true })),
    'cnp-asks-ack': spoiling(() => ({ ackReq: true })),
    'cnp-mig-req': spoiling(() => ({ migReq: true })),
    'cnp-pad-count': spoiling(() => ({ padCount: 2 })),
    'cnp-transport-version': spoiling(() => ({ tver: 1 })),
    'cnp-pkey-other': spoiling(({ pkey }) => ({ pkey: pkey ^ 0x11 })),
    'cnp-reserved-filled': spoiling(() => ({ payload: new Uint8Array(cnpReservedBytes).fill(0xa5) })),
    'cnp-reserved-missing': spoiling(() => ({ payload: new Uint8Array(0) })),
    'cnp-icrc-wrong': spoiling(() => ({ icrcXor: 1 })),
    'cnp-marked-itself': spoiling((_marked, dscp) => ({ trafficClass: dscp | 3 })),
  }),
];
