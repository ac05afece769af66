import { opcodes } from '../../../spec/constants.ts';
import { addressees, headerText } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { ofRule, ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { wrongPayload } from '../words/payload.ts';
import type { Judged } from '../words/payload.ts';

function differ(name: string, want: number, seen: number | undefined, radix = 10): Difference {
  const show = (n: number | undefined): string =>
    n === undefined ? `no ${name}` : `${name} ${radix === 16 ? '0x' : ''}${n.toString(radix)}`;
  return { expected: show(want), observed: show(seen) };
}

/** What a packet shows that is not as a demand has it, by the demands whose condition is in the YAML. */
const texts: Readonly<Record<string, (judged: Judged) => Difference>> = {
  mustHeader: ({ sent: { qp, packet } }) => headerText(qp, packet),
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
export function unmetOf(rules: readonly Rule[], judged: Judged): (Difference & { rule: Rule })[] {
  return rules.flatMap((rule) => {
    const found = wrongOf(rule, judged);
    return found === undefined ? [] : [{ rule, ...found }];
  });
}

function wrongOf(rule: Rule, judged: Judged): Difference | undefined {
  const { sent, machine, sending } = judged;
  if (ruleWord(rule, 'mustPayload') !== undefined) return wrongPayload(judged);
  const [outcome = {}] = rule.outcomes;
  for (const { key, kept: text } of textsOf(rule))
    if (machine.holds(key)(outcome, sent, sending) === false) return text(judged);
  return undefined;
}

function otherAddressee({ sent, machine, sending }: Judged): Difference {
  const number = machine.number('farQp')(sent, sending);
  return addressees(
    number < 0 ? undefined : number,
    machine.address('farAddress')(sent, sending),
    sent.packet,
  );
}

function opcodeText({ sent, machine, sending }: Judged): Difference {
  const { qp, packet, work } = sent;
  const operation = work.kind === 'send' ? 'SEND' : 'RDMA_WRITE';
  const position = machine.word('sentPosition')(sent, sending).toUpperCase();
  const immediate = machine.flag('sentImmediate')(sent, sending) ? '_WITH_IMMEDIATE' : '';
  return {
    expected: `${qp.kind}_${operation}_${position}${immediate}`,
    observed: opcodes[packet.opcode]?.name ?? `opcode 0x${packet.opcode.toString(16)}`,
  };
}

function targetText({ sent: { packet, work } }: Judged): Difference {
  const words = (va: bigint, rkey: number, length: number): string =>
    `${length} bytes at 0x${va.toString(16)} with R_Key 0x${rkey.toString(16)}`;
  const { va = 0n, rkey = 0, dmaLen = 0 } = packet.reth ?? {};
  return {
    expected: words(work.wr.remote_addr ?? 0n, work.wr.rkey ?? 0, work.length),
    observed: words(va, rkey, dmaLen),
  };
}
