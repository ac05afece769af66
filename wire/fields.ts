import type { Packet, PacketFields } from './packet.ts';

/** Drops the keys that are undefined, so that the result is what a person would have written. */
function defined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as Partial<T>;
}

/** A packet as plain data. `icrcXor` is what sets its ICRC off from the right one. The payload is a copy. */
export function fieldsOf(packet: Packet, icrcXor: number): PacketFields {
  return {
    dstMac: packet.dstMac,
    srcMac: packet.srcMac,
    ...defined({ serviceTci: packet.serviceTci, vlanTci: packet.vlanTci }),
    srcIp: packet.srcIp,
    dstIp: packet.dstIp,
    trafficClass: packet.trafficClass,
    hopLimit: packet.hopLimit,
    ...defined({ ipId: packet.ipId, dontFragment: packet.dontFragment, flowLabel: packet.flowLabel }),
    srcPort: packet.srcPort,
    udpChecksum: packet.udpChecksum,
    opcode: packet.opcode,
    solicited: packet.solicited,
    migReq: packet.migReq,
    padCount: packet.padCount,
    tver: packet.tver,
    pkey: packet.pkey,
    fecn: packet.fecn,
    becn: packet.becn,
    resv6: packet.resv6,
    destQp: packet.destQp,
    ackReq: packet.ackReq,
    resv7: packet.resv7,
    psn: packet.psn,
    ...defined({
      rdeth: packet.rdeth,
      deth: packet.deth,
      xrceth: packet.xrceth,
      reth: packet.reth,
      atomicEth: packet.atomicEth,
      aeth: packet.aeth,
      atomicOriginal: packet.atomicOriginal,
      immediate: packet.immediate,
      invalidateRkey: packet.invalidateRkey,
      feth: packet.feth,
      ooeth: packet.ooeth,
      saeth: packet.saeth,
    }),
    payload: new Uint8Array(packet.payload),
    ...(icrcXor === 0 ? {} : { icrcXor }),
  };
}
