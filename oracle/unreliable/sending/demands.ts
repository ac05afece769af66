import { opcodes } from '../../../spec/constants.ts';
import { addresseeText, pkeyText, reservedBits } from '../../device/packet/header.ts';
import { ofRule, ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { wrongPayload } from '../words/payload.ts';
import type { Found, Judged } from '../words/payload.ts';

function differ(name: string, want: number, seen: number | undefined, radix = 10): Found {
  const show = (n: number | undefined): string =>
    n === undefined ? `no ${name}` : `${name} ${radix === 16 ? '0x' : ''}${n.toString(radix)}`;
  return [show(want), show(seen)];
}

/** What a packet shows that is not as a demand has it, by the demands whose condition is in the YAML. */
const texts: Readonly<Record<string, (judged: Judged) => Found>> = {
  mustHeader: headerText,
  mustMigReq: ({ sent }) => differ('MigReq', 1, Number(sent.packet.migReq)),
  mustAddressee: otherAddressee,
  mustOpcode: opcodeText,
  mustSegment: ({ sent, machine, sending }) =>
    differ('payload length', machine.number('segment')(sent, sending), sent.packet.payloadLength),
  mustTarget: targetText,
  mustImmData: ({ sent }) => differ('immediate data', sent.work.wr.imm_data ?? 0, sent.packet.immediate, 16),
  mustSolicit: ({ sent }) =>
    differ('solicited event bit', Number(sent.work.solicited), Number(sent.packet.solicited)),
  mustQkey: ({ sent, machine, sending }) =>
    differ('Q_Key', machine.number('qkeySent')(sent, sending), sent.deth.qkey, 16),
  mustDeth: ({ sent }) => differ('reserved byte of the DETH', 0, sent.deth.reserved ?? 0, 16),
  mustSender: ({ sent }) => differ('source QP', sent.qp.qpNumber, sent.deth.srcQp, 16),
};

const textsOf = ofRule(texts);

/** What of the packet is not as the rules demand it. */
export function unmetOf(
  rules: readonly Rule[],
  judged: Judged,
): { rule: Rule; expected: string; observed: string }[] {
  return rules.flatMap((rule) => {
    const found = wrongOf(rule, judged);
    return found === undefined ? [] : [{ rule, expected: found[0], observed: found[1] }];
  });
}

function wrongOf(rule: Rule, judged: Judged): Found | undefined {
  const { sent, machine, sending } = judged;
  if (ruleWord(rule, 'mustPayload') !== undefined) return wrongPayload(judged);
  const [outcome = {}] = rule.outcomes;
  for (const { key, kept: text } of textsOf(rule))
    if (machine.holds(key)(outcome, sent, sending) === false) return text(judged);
  return undefined;
}

function headerText({ sent: { qp, packet } }: Judged): Found {
  if (!packet.icrcOk) return ['the ICRC of its bytes', `ICRC 0x${packet.icrc.toString(16).padStart(8, '0')}`];
  if (packet.tver !== 0) return ['TVer 0', `TVer ${packet.tver}`];
  const reserved = reservedBits(packet);
  if (reserved !== undefined) return ['reserved bits of the BTH 0', reserved];
  return [pkeyText(qp.pkey), pkeyText(packet.pkey)];
}

function otherAddressee({ sent, machine, sending }: Judged): Found {
  const { packet } = sent;
  const number = machine.number('farQp')(sent, sending);
  const address = machine.address('farAddress')(sent, sending);
  return [
    addresseeText(number < 0 ? undefined : number, address),
    addresseeText(packet.destQp, packet.dstIp),
  ];
}

function opcodeText({ sent, machine, sending }: Judged): Found {
  const { qp, packet, work } = sent;
  const operation = work.kind === 'send' ? 'SEND' : 'RDMA_WRITE';
  const position = machine.word('sentPosition')(sent, sending).toUpperCase();
  const immediate = machine.flag('sentImmediate')(sent, sending) ? '_WITH_IMMEDIATE' : '';
  const seen = opcodes[packet.opcode]?.name ?? `opcode 0x${packet.opcode.toString(16)}`;
  return [`${qp.kind}_${operation}_${position}${immediate}`, seen];
}

function targetText({ sent: { packet, work } }: Judged): Found {
  const words = (va: bigint, rkey: number, length: number): string =>
    `${length} bytes at 0x${va.toString(16)} with R_Key 0x${rkey.toString(16)}`;
  const { va = 0n, rkey = 0, dmaLen = 0 } = packet.reth ?? {};
  return [words(work.wr.remote_addr ?? 0n, work.wr.rkey ?? 0, work.length), words(va, rkey, dmaLen)];
}
