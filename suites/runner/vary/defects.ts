import type { PacketDefect, Step } from '../../scenario.ts';

/** What is wrong with a crafted packet, or unusual in it, in words that do not change with its values. */
function wordsOf(defect: PacketDefect): string {
  switch (defect.kind) {
    case 'icrc':
      return 'wrong ICRC';
    case 'tver':
      return 'TVer other than 0';
    case 'pkey':
      return 'another P_Key';
    case 'dest-qp':
      return 'another destination QP';
    case 'source-ip':
      return 'another source address';
    case 'dest-ip':
      return 'another destination address';
    case 'service':
      return `an opcode of ${defect.service}`;
    case 'pad':
      return 'another pad count';
    case 'short':
      return 'cut short';
    case 'frame':
      return `another ${defect.part}`;
    case 'ignored':
    case 'unusual':
      return `an unusual ${defect.field}`;
  }
}

/** The defect of a packet that a step crafts, and the same step without it. */
export function withoutDefect(step: Step): { is: string; step: Step } | undefined {
  if (step.do === 'inject' && step.packet.defect !== undefined) {
    const { defect, ...packet } = step.packet;
    return { is: wordsOf(defect), step: { ...step, packet } };
  }
  if (step.do === 'respond' && step.packet.defect !== undefined) {
    const { defect, ...packet } = step.packet;
    return { is: wordsOf(defect), step: { ...step, packet } };
  }
  return undefined;
}
