import type { QpAttr, QpState } from '../../../spec/verbs.ts';
import { DeviceDied } from '../../adapter.ts';
import type { Core } from '../device/core.ts';
import { flushReceives, flushSends } from '../device/flush.ts';
import type { QueuePair } from '../device/qp.ts';
import { reset } from '../device/reset.ts';
import type { Service } from '../device/service.ts';
import { faultsAt, type Varied } from '../seam.ts';
import { queried } from '../verbs/queue-pairs.ts';
import { apply, enterSqd, migratesByCall, refusal, toKeep } from './modify.ts';
import { taken } from './ranges.ts';
import { maskOf, masksInto, masksOf, transitionAllowed, type Masks } from './transitions.ts';

const path = ['AV', 'PATH_MTU', 'DEST_QPN', 'PKEY_INDEX', 'PORT', 'ACCESS_FLAGS'];

type MasksOf = (device: Varied, service: Service, from: QpState, to: QpState) => Masks | undefined;
type Allowing = (device: Varied, service: Service, from: QpState, attr: QpAttr) => boolean;

/** Attributes that the transition table requires are not required. */
const notRequiring =
  (...names: string[]) =>
  (sound: MasksOf, device: Varied, service: Service, from: QpState, to: QpState): Masks | undefined => {
    const masks = sound(device, service, from, to);
    return masks && { ...masks, required: masks.required & ~maskOf(names) };
  };

/** Attributes are taken with any transition. */
const takingAnywhere =
  (...names: string[]) =>
  (sound: MasksOf, device: Varied, service: Service, from: QpState, to: QpState): Masks | undefined => {
    const masks = sound(device, service, from, to);
    return masks && { ...masks, allowed: masks.allowed | maskOf(names) };
  };

/** What a sound device takes is refused. */
const refusing =
  (refuses: (attr: QpAttr, from: QpState) => boolean) =>
  (sound: Allowing, device: Varied, service: Service, from: QpState, attr: QpAttr): boolean =>
    sound(device, service, from, attr) && !refuses(attr, from);

/** The width or limit of a value is not looked at. */
const unchecked =
  (key: keyof QpAttr) =>
  (sound: (core: Core, attr: QpAttr) => QpAttr | undefined, core: Core, attr: QpAttr): QpAttr | undefined => {
    if (attr[key] === undefined) return sound(core, attr);
    const cut = sound(core, { ...attr, [key]: 0 });
    return cut && { ...cut, [key]: attr[key] };
  };

/** attributes of a QP as software has set or read them, where the device goes by others; by those others */
const promised = new WeakMap<QpAttr, QpAttr>();

/** QP that a QP was connected to first */
const firstPeers = new WeakMap<QueuePair, number>();

/** What mutants do wrong with the attributes of QPs. */
export const attributeFaults = [
  faultsAt(transitionAllowed, {
    'kept-state-unchecked': (sound, device, service, from, attr) =>
      attr.qp_state === undefined || sound(device, service, from, attr),
    'sqe-final': refusing((attr, from) => from === 'IBV_QPS_SQE' && attr.qp_state === 'IBV_QPS_RTS'),
    'drain-missing': refusing((attr) => attr.qp_state === 'IBV_QPS_SQD'),
    'rights-fixed-in-init': refusing(
      (attr, from) =>
        attr.qp_access_flags !== undefined && from !== 'IBV_QPS_RESET' && from !== 'IBV_QPS_INIT',
    ),
    'min-rnr-timer-once': refusing(
      (attr, from) => attr.min_rnr_timer !== undefined && from !== 'IBV_QPS_INIT',
    ),
    'retry-parameters-once': refusing(
      ({ timeout, retry_cnt, rnr_retry, max_rd_atomic }, from) =>
        from === 'IBV_QPS_SQD' &&
        [timeout, retry_cnt, rnr_retry, max_rd_atomic].some((value) => value !== undefined),
    ),
    'timeout-31-refused': refusing(({ timeout }) => timeout === 31),
    'retry-cnt-0-refused': refusing(({ retry_cnt }) => retry_cnt === 0),
    'rnr-retry-7-refused': refusing(({ rnr_retry }) => rnr_retry === 7),
    'min-rnr-timer-0-refused': refusing(({ min_rnr_timer }) => min_rnr_timer === 0),
  }),

  faultsAt(masksOf, {
    'transition-unchecked': (sound, device, service, from, to) =>
      sound(device, service, from, to) ?? (to === 'IBV_QPS_ERR' ? undefined : masksInto(service, to)),
    'rtr-without-min-rnr-timer': notRequiring('MIN_RNR_TIMER'),
    'rtr-without-max-dest-rd-atomic': notRequiring('MAX_DEST_RD_ATOMIC'),
    'rts-without-timeout': notRequiring('TIMEOUT'),
    'rts-without-retry-cnt': notRequiring('RETRY_CNT'),
    'rts-without-rnr-retry': notRequiring('RNR_RETRY'),
    'rts-without-max-rd-atomic': notRequiring('MAX_QP_RD_ATOMIC'),
    'first-psn-not-required': notRequiring('RQ_PSN', 'SQ_PSN'),
    'path-not-required': notRequiring(...path),
    'requester-attributes-anywhere': takingAnywhere(
      'TIMEOUT',
      'RETRY_CNT',
      'RNR_RETRY',
      'SQ_PSN',
      'MAX_QP_RD_ATOMIC',
    ),
    'responder-attributes-anywhere': takingAnywhere('RQ_PSN', 'MAX_DEST_RD_ATOMIC'),
    'min-rnr-timer-anywhere': takingAnywhere('MIN_RNR_TIMER'),
    'path-attributes-anywhere': takingAnywhere(...path),
  }),

  faultsAt(taken, {
    'timeout-range-unchecked': unchecked('timeout'),
    'retry-cnt-range-unchecked': unchecked('retry_cnt'),
    'rnr-retry-range-unchecked': unchecked('rnr_retry'),
    'min-rnr-timer-range-unchecked': unchecked('min_rnr_timer'),
    'max-dest-rd-atomic-unlimited': unchecked('max_dest_rd_atomic'),
    'max-rd-atomic-unlimited': unchecked('max_rd_atomic'),
  }),

  faultsAt(refusal, {
    // The device changes first, and looks at the transition then.
    'refused-call-applied': (sound, device, qp, asked) => {
      const { timeout, retry_cnt, rnr_retry, min_rnr_timer } = asked;
      if (timeout !== undefined) qp.attr.timeout = timeout & 31;
      if (retry_cnt !== undefined) qp.attr.retry_cnt = retry_cnt & 7;
      if (rnr_retry !== undefined) qp.attr.rnr_retry = rnr_retry & 7;
      if (min_rnr_timer !== undefined) qp.attr.min_rnr_timer = min_rnr_timer & 31;
      return sound(device, qp, asked);
    },
  }),

  faultsAt(reset, {
    'dies-of-reset': (sound, device, qp) => {
      if (qp.state === 'IBV_QPS_ERR') throw new DeviceDied('its firmware stops with an assertion');
      sound(device, qp);
    },
    'reset-flushes-receives': (sound, device, qp) => {
      if (qp.receiveQueue.srq === undefined) flushReceives(device, qp);
      sound(device, qp);
    },
    'reset-flushes-sends': (sound, device, qp) => {
      flushSends(device, qp, qp.requester.queue.splice(0));
      sound(device, qp);
    },
  }),

  // what is kept, and reported

  faultsAt(toKeep, {
    'qkey-not-renewed': (_sound, _device, attr, before) =>
      attr.qkey === undefined || before.qkey === undefined ? attr : { ...attr, qkey: before.qkey },
    'qkey-kept-in-sqe': (_sound, _device, attr, before) =>
      attr.qkey === undefined || before.qp_state !== 'IBV_QPS_SQE'
        ? attr
        : { ...attr, qkey: before.qkey ?? 0 },
    'min-rnr-timer-set-once': (_sound, _device, attr, before) =>
      attr.min_rnr_timer === undefined || before.min_rnr_timer === undefined
        ? attr
        : { ...attr, min_rnr_timer: before.min_rnr_timer },
    'max-dest-rd-atomic-set-once': (_sound, _device, attr, before) =>
      attr.max_dest_rd_atomic === undefined || before.max_dest_rd_atomic === undefined
        ? attr
        : { ...attr, max_dest_rd_atomic: before.max_dest_rd_atomic },
    'retry-parameters-not-renewed': (_sound, _device, attr, before) => {
      const { timeout, retry_cnt, rnr_retry } = before;
      if (timeout === undefined || retry_cnt === undefined || rnr_retry === undefined) return attr;
      const first = { timeout, retry_cnt, rnr_retry };
      const given = Object.keys(first).filter((key) => Object.hasOwn(attr, key)) as (keyof typeof first)[];
      const pick = (from: QpAttr): QpAttr => Object.fromEntries(given.map((key) => [key, from[key]]));
      promised.set(before, { ...promised.get(before), ...pick(attr) });
      return { ...attr, ...pick(before) };
    },
    'min-rnr-timer-off-by-one': (_sound, _device, attr) =>
      attr.min_rnr_timer === undefined ? attr : { ...attr, min_rnr_timer: (attr.min_rnr_timer + 31) & 31 },
    'retry-cnt-0-as-default': (_sound, _device, attr) =>
      attr.retry_cnt === 0 ? { ...attr, retry_cnt: 7 } : attr,
    'max-dest-rd-atomic-rounded-down': (_sound, _device, attr) => {
      const { max_dest_rd_atomic: depth = 0 } = attr;
      return depth === 0 ? attr : { ...attr, max_dest_rd_atomic: 2 ** (31 - Math.clz32(depth)) };
    },
  }),

  faultsAt(migratesByCall, { 'migration-call-ignored': () => false }),

  faultsAt(apply, {
    'drained-told-anew-within-sqd': (sound, device, qp, attr) => {
      if (attr.qp_state === 'IBV_QPS_SQD') qp.requester.drainNotified = false;
      sound(device, qp, attr);
    },
    'receives-dropped-in-init': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (qp.state === 'IBV_QPS_INIT' && qp.receiveQueue.srq === undefined) qp.receiveQueue.wqes = [];
    },
    'peer-not-renewed': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (attr.dest_qp_num === undefined) return;
      qp.destQp = firstPeers.get(qp) ?? attr.dest_qp_num;
      firstPeers.set(qp, qp.destQp);
    },
    'last-rights-kept': (sound, device, qp, attr) => {
      const had = qp.access;
      sound(device, qp, attr);
      if (attr.qp_access_flags?.length === 0) qp.access = had;
    },
    'rights-not-renewed': (sound, device, qp, attr) => {
      const { access } = qp;
      sound(device, qp, attr);
      if (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') qp.access = access;
    },
    'path-not-renewed': (sound, device, qp, attr) => {
      const { remote } = qp;
      sound(device, qp, attr);
      if (qp.state === 'IBV_QPS_SQD') qp.remote = remote;
    },
    'msn-starts-at-one': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (qp.state === 'IBV_QPS_RTR') qp.responder.msn = 1;
    },
  }),

  faultsAt(enterSqd, {
    'drained-once': () => undefined,
    'flush-unprompted': (sound, device, qp) => {
      sound(device, qp);
      flushReceives(device, qp);
    },
  }),

  faultsAt(queried, {
    'retry-parameters-not-renewed': (sound, device, qp) => ({
      ...sound(device, qp),
      ...promised.get(qp.attr),
    }),
    'query-timeout-shifted': (sound, device, qp) => {
      const attr = sound(device, qp);
      return attr.timeout === undefined ? attr : { ...attr, timeout: attr.timeout + 10 };
    },
    'query-rnr-retry-of-retry-cnt': (sound, device, qp) => {
      const attr = sound(device, qp);
      return attr.retry_cnt === undefined ? attr : { ...attr, rnr_retry: attr.retry_cnt };
    },
    'query-psn-swapped': (sound, device, qp) => {
      const attr = sound(device, qp);
      return attr.rq_psn === undefined ? attr : { ...attr, sq_psn: attr.rq_psn };
    },
    'query-rights-without-reads': (sound, device, qp) => {
      const attr = sound(device, qp);
      const { qp_access_flags: rights } = attr;
      if (rights === undefined) return attr;
      return { ...attr, qp_access_flags: rights.filter((right) => right !== 'IBV_ACCESS_REMOTE_READ') };
    },
    'query-port-from-zero': (sound, device, qp) => {
      const attr = sound(device, qp);
      return attr.port_num === undefined ? attr : { ...attr, port_num: attr.port_num - 1 };
    },
    'query-qkey-last-byte': (sound, device, qp) => {
      const attr = sound(device, qp);
      return attr.qkey === undefined ? attr : { ...attr, qkey: attr.qkey & 0xff };
    },
    'query-without-peer': (sound, device, qp) => ({ ...sound(device, qp), dest_qp_num: 0 }),
  }),
];
