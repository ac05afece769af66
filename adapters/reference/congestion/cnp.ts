import { cnpReservedBytes, opcodeByName } from '../../../spec/constants.ts';
import type { Packet, PacketFields } from '../../../wire/index.ts';
import type { MutantId } from '../mutants/table.ts';
import type { Destination } from '../path.ts';
import type { QueuePair } from '../qp.ts';
import type { CongestionSettings } from './settings.ts';

const opcode = opcodeByName('CNP');
const datagramService = 3;

/** The CNP that answers a marked packet. */
export function cnpFields(
  { cnpDscp, cnpEcn }: CongestionSettings,
  marked: Packet,
  fault: MutantId | undefined,
): Omit<PacketFields, 'destQp'> {
  const fields = {
    opcode,
    psn: 0,
    migReq: false,
    pkey: marked.pkey,
    trafficClass: (cnpDscp << 2) | cnpEcn,
  };
  return fault === undefined ? fields : { ...fields, ...spoiled(marked, cnpDscp << 2, fault) };
}

/** What mutants put into a CNP. */
function spoiled(marked: Packet, dscp: number, fault: MutantId): Partial<PacketFields> {
  switch (fault) {
    case 'cnp-psn-of-packet':
      return { psn: marked.psn };
    case 'cnp-without-becn':
      return { becn: false };
    case 'cnp-with-fecn':
      return { fecn: true };
    case 'cnp-solicited':
      return { solicited: true };
    case 'cnp-asks-ack':
      return { ackReq: true };
    case 'cnp-mig-req':
      return { migReq: true };
    case 'cnp-pad-count':
      return { padCount: 2 };
    case 'cnp-transport-version':
      return { tver: 1 };
    case 'cnp-pkey-other':
      return { pkey: marked.pkey ^ 0x11 };
    case 'cnp-reserved-filled':
      return { payload: new Uint8Array(cnpReservedBytes).fill(0xa5) };
    case 'cnp-reserved-missing':
      return { payload: new Uint8Array(0) };
    case 'cnp-icrc-wrong':
      return { icrcXor: 1 };
    case 'cnp-marked-itself':
      return { trafficClass: dscp | 3 };
    default:
      return {};
  }
}

/** Back to the QP that the marked packet came from. */
export function destinationOf(qp: QueuePair, marked: Packet, fault: MutantId | undefined): Destination {
  return {
    remote: {
      ip: fault === 'cnp-to-neighbour' ? neighbourOf(marked.srcIp) : marked.srcIp,
      version: marked.ipVersion,
      trafficClass: 0,
      hopLimit: 64,
      flowLabel: 0,
    },
    destQp: fault === 'cnp-names-own-qp' ? qp.num : sourceQp(qp, marked),
    srcPort: qp.srcPort,
  };
}

function neighbourOf(ip: string): string {
  return ip.replace(/.$/, (last) => (last === '7' ? '8' : '7'));
}

/** The QP whose packet it is: of a datagram the packet says so, else the QP is connected to it. */
export function sourceQp(qp: QueuePair, packet: Packet): number {
  const named = packet.opcode >> 5 === datagramService ? packet.deth?.srcQp : undefined;
  return named ?? qp.destQp;
}
