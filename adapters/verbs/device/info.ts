/** What a device says of itself. `gids` are 32 hex digits each, by index; unused entries are all zeros. */
export interface DeviceInfo {
  device: string;
  max_qp: number;
  max_qp_rd_atom: number;
  max_msg_sz: number;
  active_mtu: number;
  gids: string[];
  /** a second user context is open, which owns no object */
  second_context?: boolean;
}
