import type { Varied } from '../../seam.ts';
import type { Device } from '../device.ts';

/** Whether it is the device with all its QPs that a fault stands at, and not a part of one. */
export function isDevice(asked: Varied): asked is Device {
  return 'qps' in asked;
}
