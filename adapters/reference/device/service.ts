import type { QpType } from '../../../spec/verbs.ts';

/** Transport services of this device. */
export type Service = 'RC' | 'UC' | 'UD';

const services: Readonly<Partial<Record<QpType, Service>>> = {
  IBV_QPT_RC: 'RC',
  IBV_QPT_UC: 'UC',
  IBV_QPT_UD: 'UD',
};

/** The service of a QP type; `undefined` where the device has none such. */
export function serviceOf(type: QpType): Service | undefined {
  return services[type];
}

/** Upper three bits of the opcodes of a service. */
export const serviceBits: Readonly<Record<Service, number>> = { RC: 0, UC: 1, UD: 3 };

/** Upper three bits of the opcodes of a QP. */
export function bitsOf({ service, ooo }: { service: Service; ooo: object | undefined }): number {
  return ooo === undefined ? serviceBits[service] : 6;
}
