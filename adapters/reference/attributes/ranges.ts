import type { QpAttr } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import { limits } from '../device/limits.ts';
import { seam } from '../seam.ts';

/** Attributes whose values are counters or codes, with the largest that the field on the device holds. */
const widths = [
  ['timeout', 31],
  ['retry_cnt', 7],
  ['rnr_retry', 7],
  ['min_rnr_timer', 31],
  ['alt_timeout', 31],
] as const satisfies readonly [keyof QpAttr, number][];

const ranges: readonly [keyof QpAttr, number][] = [
  ['rq_psn', 0xffffff],
  ['sq_psn', 0xffffff],
  ['dest_qp_num', 0xffffff],
  ['qkey', 0xffffffff],
  ['pkey_index', 0],
  ['alt_pkey_index', 0],
  ['max_rd_atomic', limits.maxRdAtomic],
  ['max_dest_rd_atomic', limits.maxRdAtomic],
];
const pathMtus = [256, 512, 1024, 2048, 4096];

/** The attributes as the device takes them; `undefined` where it refuses one of their values. */
export const taken = seam(({ config }: Core, attr: QpAttr): QpAttr | undefined => {
  const sound =
    ranges.every(([key, max]) => inRange(attr[key], max)) &&
    (attr.port_num === undefined || attr.port_num === 1) &&
    (attr.alt_port_num === undefined || attr.alt_port_num === 1) &&
    (attr.path_mtu === undefined || pathMtus.includes(attr.path_mtu));
  if (!sound) return undefined;
  let cut = attr;
  for (const [key, max] of widths) {
    const value = attr[key];
    if (inRange(value, max)) continue;
    if (config.outOfRange === 'refuse' || value === undefined || !inRange(value, 255)) return undefined;
    cut = { ...cut, [key]: value & max };
  }
  return cut;
});

function inRange(value: unknown, max: number): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max)
  );
}
