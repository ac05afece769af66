import { opcodes } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
import { firstDifference, readMemory, scatter } from '../device/memory.ts';
import type { MemoryNode } from '../device/memory.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { opcodeName, operationOf } from './send.ts';
import type { SendItem } from './send.ts';
import type { UnreliableQp } from './qp.ts';

/** A packet of the device with the work request that it belongs to. */
export interface SentPacket {
  qp: UnreliableQp;
  item: SendItem;
  packet: Packet;
  /** address that the address handle of a UD work request leads to, where the trace tells */
  address: string | undefined;
  /** what the receiving side has done to memory since it was last certain */
  memory: MemoryNode | undefined;
}

type Found = [expected: string, observed: string] | undefined;
type Check = (sent: SentPacket) => Found;

const checks: Readonly<Record<string, readonly [value: string, check: Check]>> = {
  mustHeader: ['sound', checkHeader],
  mustAddressee: ['configured', checkAddressee],
  mustOpcode: ['posted', checkOpcode],
  mustSegment: ['mtu', checkSegment],
  mustTarget: ['posted', checkTarget],
  mustPayload: ['posted', checkPayload],
  mustImmData: ['posted', checkImmediate],
  mustSolicit: ['posted', checkSolicited],
  mustQkey: ['posted', checkQkey],
  mustSender: ['own', checkSender],
};

const checkEntries = Object.entries(checks);

const differ = (name: string, want: number | undefined, seen: number | undefined, radix = 10): Found => {
  const show = (n: number | undefined): string =>
    n === undefined ? `no ${name}` : `${name} ${radix === 16 ? '0x' : ''}${n.toString(radix)}`;
  return want === seen ? undefined : [show(want), show(seen)];
};

/** What of the packet is not as the rules demand it. A wrong opcode leaves nothing else to compare. */
export function unmetOf(
  rules: readonly Rule[],
  sent: SentPacket,
): { rule: Rule; expected: string; observed: string }[] {
  const wrongOpcode = checkOpcode(sent) !== undefined;
  return rules.flatMap((rule) => {
    for (const [key, [value, check]] of checkEntries) {
      if (ruleWord(rule, key) !== value) continue;
      if (wrongOpcode && key !== 'mustOpcode' && key !== 'mustHeader' && key !== 'mustAddressee') continue;
      const found = check(sent);
      if (found !== undefined) return [{ rule, expected: found[0], observed: found[1] }];
    }
    return [];
  });
}

function checkHeader({ qp, packet }: SentPacket): Found {
  if (!packet.icrcOk) return ['the ICRC of its bytes', `ICRC 0x${packet.icrc.toString(16).padStart(8, '0')}`];
  if (packet.tver !== 0) return ['TVer 0', `TVer ${packet.tver}`];
  if (((packet.pkey ^ qp.pkey) & 0x7fff) !== 0) return differ('P_Key', qp.pkey, packet.pkey, 16);
  return undefined;
}

function checkAddressee({ qp, item, packet, address }: SentPacket): Found {
  const number = qp.kind === 'UD' ? item.wr.remote_qpn : qp.peerQpNumber;
  const to = qp.kind === 'UD' ? address : qp.peerAddress;
  if ((number === undefined || packet.destQp === number) && (to === undefined || packet.dstIp === to))
    return undefined;
  return [
    `addressed to qp ${number ?? '?'} at ${to ?? '?'}`,
    `addressed to qp ${packet.destQp} at ${packet.dstIp}`,
  ];
}

function checkOpcode({ qp, item, packet }: SentPacket): Found {
  const name = `${qp.kind}_${operationOf(item)}`;
  return opcodes[packet.opcode]?.name === name ? undefined : [name, opcodeName(packet.opcode)];
}

function checkSegment({ qp, item, packet }: SentPacket): Found {
  const last = item.sent === item.count - 1;
  return differ(
    'payload length',
    last ? item.length - item.sent * qp.pmtu * (item.count > 1 ? 1 : 0) : qp.pmtu,
    packet.payloadLength,
  );
}

function checkTarget({ item, packet }: SentPacket): Found {
  const { reth } = packet;
  if (reth === undefined) return undefined;
  const { remote_addr: va, rkey } = item.wr;
  const words = (a: bigint | undefined, key: number | undefined, length: number): string =>
    `${length} bytes at 0x${(a ?? 0n).toString(16)} with R_Key 0x${(key ?? 0).toString(16)}`;
  const want = words(va, rkey, item.length);
  const seen = words(reth.va, reth.rkey, reth.dmaLen);
  return want === seen ? undefined : [want, seen];
}

function checkPayload({ qp, item, packet, memory }: SentPacket): Found {
  const { payload } = packet;
  const from = item.sent * (item.count > 1 ? qp.pmtu : 0);
  // a wrong length is told by itself
  if (item.payloadOpen || from + payload.length > item.length) return undefined;
  const wrong = (at: number): Found => [
    'the bytes of the work request',
    `another byte at ${from + at} of the message`,
  ];
  if (item.inline !== undefined) {
    const want = item.inline.subarray(from, from + payload.length);
    const at = payload.findIndex((byte, i) => byte !== want[i]);
    return at < 0 ? undefined : wrong(at);
  }
  let done = 0;
  for (const { region, offset, length } of scatter(qp.memory, item.wr.sg_list, from, payload.length)) {
    if (region !== undefined) {
      const at = firstDifference(
        readMemory(memory, region, offset, length),
        payload.subarray(done, done + length),
      );
      if (at >= 0) return wrong(done + at);
    }
    done += length;
  }
  return undefined;
}

function checkImmediate({ item, packet }: SentPacket): Found {
  if (packet.info?.headers.includes('ImmDt') !== true) return undefined;
  return differ('immediate data', (item.wr.imm_data ?? 0) >>> 0, packet.immediate, 16);
}

function checkSolicited({ item, packet }: SentPacket): Found {
  const last = item.sent === item.count - 1;
  // elsewhere the bit means nothing
  if (!last || (item.kind === 'write' && !item.wr.opcode.endsWith('_WITH_IMM'))) return undefined;
  const asked = item.wr.send_flags?.includes('IBV_SEND_SOLICITED') === true;
  return differ('solicited event bit', Number(asked), Number(packet.solicited));
}

function checkQkey({ qp, item, packet }: SentPacket): Found {
  const asked = item.wr.remote_qkey;
  if (asked === undefined || packet.deth === undefined) return undefined;
  const want = asked >>> 31 === 1 ? qp.qkey : asked;
  return want === undefined ? undefined : differ('Q_Key', want >>> 0, packet.deth.qkey >>> 0, 16);
}

function checkSender({ qp, packet }: SentPacket): Found {
  return packet.deth === undefined ? undefined : differ('source QP', qp.qpNumber, packet.deth.srcQp);
}
