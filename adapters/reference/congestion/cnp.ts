import { opcodeByName } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Fields } from '../device/headers.ts';
import type { Destination } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import type { CongestionSettings } from './settings.ts';

const opcode = opcodeByName('CNP');
const datagramService = 3;

/** The CNP that answers a marked packet. */
export const cnpFields = seam(
  (_core: Core, { cnpDscp, cnpEcn }: CongestionSettings, { pkey }: Packet): Fields => ({
    opcode,
    psn: 0,
    migReq: false,
    pkey,
    trafficClass: (cnpDscp << 2) | cnpEcn,
  }),
);

/** Back to the QP that the marked packet came from. */
export const cnpDestination = seam((_core: Core, qp: QueuePair, marked: Packet): Destination => ({
  remote: { ip: marked.srcIp, version: marked.ipVersion, trafficClass: 0, hopLimit: 64, flowLabel: 0 },
  destQp: sourceQp(qp, marked),
  srcPort: qp.srcPort,
}));

/** The QP whose packet it is: of a datagram the packet says so, else the QP is connected to it. */
export function sourceQp(qp: QueuePair, packet: Packet): number {
  const named = packet.opcode >> 5 === datagramService ? packet.deth?.srcQp : undefined;
  return named ?? qp.destQp;
}
