import { cnpReservedBytes, opcodeByName } from '../../../spec/constants.ts';
import type { Packet, PacketFields } from '../../../wire/index.ts';
import type { MutantId } from '../mutant.ts';
import type { Destination } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
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
  return fault === undefined ? fields : { ...fields, ...spoiled[fault]?.(marked, cnpDscp << 2) };
}

type Spoiled = (marked: Packet, dscp: number) => Partial<PacketFields>;

/** What mutants put into a CNP. */
const spoiled: Partial<Readonly<Record<MutantId, Spoiled>>> = {
  'cnp-psn-of-packet': ({ psn }) => ({ psn }),
  'cnp-without-becn': () => ({ becn: false }),
  'cnp-with-fecn': () => ({ fecn: true }),
  'cnp-solicited': () => ({ solicited: true }),
  'cnp-asks-ack': () => ({ ackReq: true }),
  'cnp-mig-req': () => ({ migReq: true }),
  'cnp-pad-count': () => ({ padCount: 2 }),
  'cnp-transport-version': () => ({ tver: 1 }),
  'cnp-pkey-other': ({ pkey }) => ({ pkey: pkey ^ 0x11 }),
  'cnp-reserved-filled': () => ({ payload: new Uint8Array(cnpReservedBytes).fill(0xa5) }),
  'cnp-reserved-missing': () => ({ payload: new Uint8Array(0) }),
  'cnp-icrc-wrong': () => ({ icrcXor: 1 }),
  'cnp-marked-itself': (_, dscp) => ({ trafficClass: dscp | 3 }),
};

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
