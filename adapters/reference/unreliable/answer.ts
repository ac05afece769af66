import { encodeSyndrome, nakCodeByName, opcodeByName } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';

const opcode = opcodeByName('RC_ACKNOWLEDGE');
const ack = encodeSyndrome('ack', 31);
const nak = encodeSyndrome('nak', nakCodeByName('psn-sequence-error'));

/** The ACK of the mutants that answer a message of UC or UD. */
export function acknowledgeUnasked(core: Core, qp: QueuePair, packet: Packet): void {
  const fields = { opcode, psn: packet.psn, aeth: { syndrome: ack, msn: 0 } };
  if (core.fault === 'uc-acknowledges' && qp.service === 'UC') core.transmit(qp, fields);
  if (core.fault !== 'ud-acknowledges' || qp.service !== 'UD') return;
  const { srcIp: ip, ipVersion: version, srcPort } = packet;
  const remote = { ip, version, trafficClass: 0, hopLimit: 64, flowLabel: 0 };
  core.transmit(qp, fields, { remote, destQp: packet.deth?.srcQp ?? 0, srcPort });
}

/** The NAK of the mutant that misses a packet of UC. */
export function refuseGap(core: Core, qp: QueuePair): void {
  if (core.fault !== 'uc-answers-gap') return;
  core.transmit(qp, { opcode, psn: qp.responder.epsn, aeth: { syndrome: nak, msn: 0 } });
}
