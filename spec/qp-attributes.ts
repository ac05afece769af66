import type { QpAttr } from './verbs.ts';

export type QpAttrKey = keyof QpAttr;

/** Name in the table of transitions (mask bit without IBV_QP_) of each attribute but the states. */
export const attributeNames: Readonly<Record<Exclude<QpAttrKey, 'qp_state' | 'cur_qp_state'>, string>> = {
  en_sqd_async_notify: 'EN_SQD_ASYNC_NOTIFY',
  qp_access_flags: 'ACCESS_FLAGS',
  pkey_index: 'PKEY_INDEX',
  port_num: 'PORT',
  qkey: 'QKEY',
  ah_attr: 'AV',
  path_mtu: 'PATH_MTU',
  timeout: 'TIMEOUT',
  retry_cnt: 'RETRY_CNT',
  rnr_retry: 'RNR_RETRY',
  rq_psn: 'RQ_PSN',
  max_rd_atomic: 'MAX_QP_RD_ATOMIC',
  alt_ah_attr: 'ALT_PATH',
  alt_pkey_index: 'ALT_PATH',
  alt_port_num: 'ALT_PATH',
  alt_timeout: 'ALT_PATH',
  min_rnr_timer: 'MIN_RNR_TIMER',
  sq_psn: 'SQ_PSN',
  max_dest_rd_atomic: 'MAX_DEST_RD_ATOMIC',
  path_mig_state: 'PATH_MIG_STATE',
  dest_qp_num: 'DEST_QPN',
};

export type AttributeKey = keyof typeof attributeNames;
export const attributeKeys = Object.keys(attributeNames) as readonly AttributeKey[];
