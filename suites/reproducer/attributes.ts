import { attributeNames } from '../../spec/qp-attributes.ts';
import type { AhAttr, QpAttr } from '../../spec/verbs.ts';
import { addressOfGid } from '../../wire/index.ts';

const masks = { qp_state: 'STATE', cur_qp_state: 'CUR_STATE', ...attributeNames };

/** An `ibv_ah_attr`. */
export function addressText({ dgid, sgid_index, port_num = 1, ...route }: AhAttr): string {
  const { hop_limit = 64, traffic_class, flow_label } = route;
  const address = addressOfGid(dgid);
  const text = address.includes(':') ? address : `::ffff:${address}`;
  return (
    `{ .is_global = 1, .port_num = ${port_num}, ` +
    `.grh = { .dgid = gid_of("${text}"), .sgid_index = gid_index(${sgid_index}), .hop_limit = ${hop_limit}` +
    (traffic_class === undefined ? '' : `, .traffic_class = ${traffic_class}`) +
    (flow_label === undefined ? '' : `, .flow_label = ${flow_label}`) +
    ' } }'
  );
}

function isAttribute(key: string): key is keyof QpAttr {
  return key in masks;
}

function valueText(key: keyof QpAttr, value: QpAttr[keyof QpAttr]): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return value.join(' | ') || '0';
  if (typeof value === 'object') return addressText(value);
  return key === 'path_mtu' ? `IBV_MTU_${value}` : `${value}`;
}

/** The fields of an `ibv_qp_attr` that are set, and the mask of ibv_modify_qp. */
export function attributeText(attr: QpAttr): { fields: string[]; mask: string[] } {
  const keys = Object.keys(attr)
    .filter(isAttribute)
    .filter((key) => attr[key] !== undefined);
  const alternate = keys.includes('alt_ah_attr') && !keys.includes('alt_port_num');
  return {
    fields: [
      ...keys.map((key) => `.${key} = ${valueText(key, attr[key])}`),
      ...(alternate ? ['.alt_port_num = 1'] : []),
    ],
    mask: [...new Set(keys.map((key) => `IBV_QP_${masks[key]}`))],
  };
}
