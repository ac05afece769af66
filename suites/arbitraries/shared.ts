import type { Profile } from '../../adapters/adapter.ts';

/** Whether QPs of the service may be on an SRQ: devices may refuse that on UC (ibv_create_qp(3)). */
export function sharesReceives({ capabilities }: Profile, service: 'RC' | 'UC' | 'UD' = 'RC'): boolean {
  return capabilities.includes(service === 'UC' ? 'uc-srq' : 'srq');
}
