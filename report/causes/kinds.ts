import { misfitOf } from './misfits.ts';
import { symptomOf } from './names.ts';
import type { Node } from './nodes.ts';
import { sideOf } from './symptoms.ts';

/**
 * Names of which each machine may have several defects: findings of two machines that are called so are not taken for one defect.
 */
const common =
  /^(?:another (?:byte of|PSN|MSN|status)|missing (?:IBV_WC|packet|retransmission|all|the next|failure)|unexpected (?:IBV_WC|request)|IBV_WC_\w+ instead)/;

/** Tables of which each rule is a check of its own: a packet that fails one is discarded, and nothing comes of it. */
const checks = /-admission$|^frame-received$/;

const machineOf = ({ rule }: Node): string => rule?.location?.file.split('/').at(-2) ?? rule?.table ?? '';

/** Findings of a service, whichever machine judges them: those of both ends together are about the same completions. */
function serviceOf(node: Node): string {
  const [, service] = /^(?:(rc)|uc|ud|unreliable)-/.exec(node.failure.rule) ?? [];
  return machineOf(node) === 'end-to-end'
    ? (service ?? 'unreliable')
    : machineOf(node).replace(/^rc-.*/, 'rc');
}

const silent = ({ failure }: Node): boolean => /^(?:no response|nothing)$/.test(failure.observed);

/**
 * What a device that did not answer logged of the packet, without its numbers: a model names the assertion that failed. Empty where it
 * logged nothing, or the finding is another one.
 */
function excuseOf(node: Node): string {
  const { ladder } = node.failure;
  const behind = ladder[ladder.findIndex(({ guilty }) => guilty === true) + 1];
  const [, said = ''] = /^log: (.*?)(?: \(\d+ times until the end\))?$/.exec(behind?.text ?? '') ?? [];
  return silent(node) ? said.replaceAll(/\d+/g, '') : '';
}

/** What a device does alike whether packets may be placed out of order or not. */
const ofAnyOrder = /^another (?:byte of|MSN)/;

/** The end that a machine judges: of RC that of an ordinary QP or an out-of-order one; memory that two QPs of a device have to do with is the responder's. */
function endOf(node: Node): string {
  if (machineOf(node) === 'end-to-end') return serviceOf(node).replace(/^rc$/, 'rc-responder');
  if (machineOf(node) !== 'ooo') return machineOf(node);
  return /requester/.test(node.rule?.table ?? '') ? 'rc-requester' : 'rc-responder';
}

/** Findings that say the same in words are likely one defect, whichever rules they break. */
export function wordsOf(node: Node): string[] {
  const name = symptomOf(node.failure).text.replace('_srq_recv', '_recv');
  if (checks.test(node.rule?.table ?? '')) return [];
  // that a request is sent which should not be is what most defects of a requester come to
  if (/^(?:unexpected request\b|request with|missing NAK\b)/.test(name)) return [];
  if (!common.test(name)) return [`${name} ${excuseOf(node)}`];
  const side = sideOf(node.failure);
  if (name === 'missing IBV_WC_WR_FLUSH_ERR') return [`${name}${side}`];
  if (ofAnyOrder.test(name)) return [`${endOf(node)}: ${name}`];
  return [`${name.includes('IBV_WC_') && side !== '' ? serviceOf(node) : machineOf(node)}: ${name}${side}`];
}

/** Findings of one rule that depart from it in one way, such as with one packet and with another, and report one status. */
export function departuresOf(node: Node): string[] {
  const { failure } = node;
  const [status = ''] = /\bIBV_WC_\w+/.exec(failure.observed) ?? [];
  return [`${failure.rule} ${symptomOf(failure).departure} ${status} ${excuseOf(node)}`];
}

/** A check of a packet that each service has, departed from in one way: a device that looks at packets of all services makes it for all. */
export function twinsOf({ failure, rule }: Node): string[] {
  if (!checks.test(rule?.table ?? '')) return [];
  const check = failure.rule.replace(/^(?:rc|uc|ud)-/, '');
  return [`${check} ${symptomOf(failure).departure}`];
}

const refusalDue = /^(?:RNR )?NAK\b/;

/**
 * A rule by which a request is refused, and the request was not, or for another reason: the check is not made, and what becomes of the request
 * then depends on the request.
 */
export function uncheckedOf({ failure: { rule, expected } }: Node): string[] {
  return refusalDue.test(expected) ? [rule] : [];
}

/** A response that does not fit its request is one defect, whatever was due in its place. */
export function misfitsOf({ failure }: Node): string[] {
  return [misfitOf(failure)].filter((word) => word !== undefined);
}

const crafted = / \((inject|respond) .*\): defect$/;

/**
 * What a packet has to be made with by hand for anything to be broken: findings that need the same are likely one defect, that of looking at
 * it, or of not doing so.
 */
export function craftedOf({ failure: { influences = [] } }: Node): string[] {
  return influences.flatMap(({ what, is, kept }) => {
    const [, how] = crafted.exec(what) ?? [];
    return how === undefined || !kept.includes('none') ? [] : [`${how} ${is}`];
  });
}

const wantsSuccess = ({ failure }: Node): boolean => !/\bNAK\b/.test(failure.expected);

/** What every request differs by; anything else says which requests are not answered. */
const anyRequest = /: (?:operation|psn offset|AckReq)$/;

/** Nothing but the kind of the request makes a difference: no request of that kind is answered, as far as it is known. */
const unconditional = ({ failure: { influences = [] }, rule }: Node): boolean =>
  (influences.length > 0 || rule === undefined || 2 * rule.violations > rule.exercised) &&
  influences.every(
    ({ what, is, kept }) => kept.length === 0 || (anyRequest.test(what) && !/IMMEDIATE/.test(is)),
  );

/** A responder that answers nothing, good or bad, has one defect. */
export function silencesOf(nodes: readonly Node[]): (node: Node) => string[] {
  const dumb = new Set(
    nodes.filter((node) => silent(node) && wantsSuccess(node) && unconditional(node)).map(machineOf),
  );
  return (node) =>
    silent(node) && dumb.has(machineOf(node)) ? [`silent ${machineOf(node)} ${excuseOf(node)}`] : [];
}

/** What is wrong in all that shows a cause, the best first. */
export function nameOf(lead: Node, shown: readonly Node[]): string {
  const misfit = misfitOf(lead.failure);
  if (misfit !== undefined) return misfit;
  const silences = shown.filter(silent);
  const both = silences.some(wantsSuccess) && !silences.every(wantsSuccess);
  return silent(lead) && both ? 'missing responses, good or bad' : symptomOf(lead.failure).text;
}
