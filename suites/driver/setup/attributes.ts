import type { Endpoint } from '../../../adapters/adapter.ts';
import type { AhAttr, QpAttr, QpState } from '../../../spec/verbs.ts';
import type { QpPlan, RoutePlan, Scenario, Step } from '../../scenario.ts';
import type { End } from './end.ts';
import { addressOf, gidIndexOf, gidOf, otherIp } from './gid.ts';

/** The other end of a connection as its near end has to know it. */
export interface FarEnd {
  endpoint: Endpoint;
  qpNum: number;
  plan: QpPlan;
}

type Modify = Pick<Extract<Step, { do: 'modify_qp' }>, 'attr' | 'omit'> & { state?: QpState | undefined };

/**
 * Attributes of a modify step: those that the QP's plan calls for on the way RESET, INIT, RTR, RTS, those that the step adds
 * or changes, without those that it omits. `byStateAlone`: the plan calls for nothing but the state.
 */
export function attributesFor(
  { state, attr: changed = {}, omit = [] }: Modify,
  end: End,
  scenario: Scenario,
  far: FarEnd,
  near: Endpoint,
  byStateAlone = false,
): QpAttr {
  const { route, alternateRoute = route } = end.plan;
  const path = (to: 'peer' | 'other-ip' = 'peer', by = route): AhAttr =>
    pathTo(to, scenario.ip, far.endpoint, near, by);
  const { ah_attr, alt_ah_attr, ...plain } = changed;
  const attr: QpAttr = {
    ...(state !== undefined &&
      (byStateAlone ? { qp_state: state } : planned(state, end, scenario, far, path()))),
    ...plain,
    ...(ah_attr !== undefined && { ah_attr: path(ah_attr) }),
    ...(alt_ah_attr !== undefined && { alt_ah_attr: path(alt_ah_attr, alternateRoute) }),
  };
  for (const name of omit) delete attr[name];
  return attr;
}

/** Address of the far end, by the scenario's IP version or the other one, and what packets to it carry. */
export function pathTo(
  to: 'peer' | 'other-ip',
  ip: 4 | 6,
  far: Endpoint,
  near: Endpoint,
  { trafficClass, hopLimit = 64, flowLabel }: RoutePlan = {},
): AhAttr {
  const version = to === 'peer' ? ip : otherIp(ip);
  return {
    dgid: gidOf(addressOf(far, version)),
    sgid_index: gidIndexOf(near, version),
    hop_limit: hopLimit,
    ...(trafficClass !== undefined && { traffic_class: trafficClass }),
    ...(flowLabel !== undefined && { flow_label: flowLabel }),
    port_num: 1,
  };
}

/** Q_Key of a UD QP. */
export function qkeyOf({ qkey = 0x1111_1111 }: QpPlan): number {
  return qkey;
}

function planned(state: QpState, end: End, scenario: Scenario, far: FarEnd, ah_attr: AhAttr): QpAttr {
  const { plan } = end;
  const { service = 'RC' } = scenario;
  const reliable = service === 'RC';
  switch (state) {
    case 'IBV_QPS_INIT':
      return {
        qp_state: state,
        pkey_index: 0,
        port_num: 1,
        ...(service === 'UD' ? { qkey: qkeyOf(plan) } : { qp_access_flags: plan.access }),
      };
    case 'IBV_QPS_RTR':
      if (service === 'UD') return { qp_state: state };
      return {
        qp_state: state,
        path_mtu: scenario.mtu,
        dest_qp_num: far.qpNum,
        rq_psn: far.plan.startPsn,
        ...(reliable && { max_dest_rd_atomic: plan.maxDestRdAtomic, min_rnr_timer: plan.minRnrTimer }),
        ah_attr,
      };
    case 'IBV_QPS_RTS':
      return {
        qp_state: state,
        ...(reliable && { timeout: plan.timeout, retry_cnt: plan.retryCnt, rnr_retry: plan.rnrRetry }),
        sq_psn: plan.startPsn,
        ...(reliable && { max_rd_atomic: plan.maxRdAtomic }),
      };
    case 'IBV_QPS_RESET':
    case 'IBV_QPS_SQD':
    case 'IBV_QPS_SQE':
    case 'IBV_QPS_ERR':
      return { qp_state: state };
  }
}
