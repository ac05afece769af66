import { atomicBytes, encodeSyndrome, nakCodeByName } from '../../spec/constants.ts';
import type { Difference } from '../device/packet/header.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Rule } from '../rules.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { CapturedRules } from './connection-rules.ts';
import { lengthOf } from './lengths.ts';
import type { Asked } from './requests/asked.ts';
import type { PsnRecord, WholeRead } from './requests/psn-record.ts';
import type { SeenRequest } from './requests/seen-request.ts';

const accessError = encodeSyndrome('nak', nakCodeByName('remote-access-error'));

/** A rule that decides about a response, and what is wrong with it. */
export interface AnswerVerdict {
  readonly rule: Rule;
  readonly wrong: Difference | undefined;
}

/**
 * What can be said of a response that carries data by the request that its PSN stands for, whatever else was lost: its kind, the
 * place of a READ response at the end of the READ or before, its length, and the value of an ATOMIC against the one given before.
 */
export function judgeAnswer(
  rules: CapturedRules,
  asked: Asked,
  seen: ObservedReply,
): AnswerVerdict | undefined {
  const { record } = asked;
  switch (seen.kind) {
    case 'read-response':
    case 'read-middle':
      return readResponse(rules, asked, seen);
    case 'atomic-ack':
      record.answeredAgain(seen.psn);
      return atomicAnswer(rules, record, seen);
    case 'ack':
      record.answeredAgain(seen.psn);
      return undefined;
    case 'fatal-nak':
      return refusal(rules, record, seen);
    case 'sequence-nak':
    case 'rnr-nak':
      return undefined;
  }
}

/** A SEND names no memory of the responder, but for the R_Key that it invalidates, so that its access cannot be refused. */
function refusal(
  { unasked }: CapturedRules,
  record: PsnRecord,
  seen: ObservedReply,
): AnswerVerdict | undefined {
  const request = record.at(seen.psn);
  if (seen.syndrome !== accessError || request?.family !== 'send' || request.invalidates !== undefined)
    return undefined;
  return wrongKind(unasked, record, request, seen);
}

function readResponse(
  { readResponses, unasked }: CapturedRules,
  asked: Asked,
  seen: ObservedReply,
): AnswerVerdict | undefined {
  const { record, mtu } = asked;
  const length = wrongSize(asked, seen);
  if (length !== undefined && readResponses !== undefined) return { rule: readResponses, wrong: length };
  const found = record.readAt(seen.psn, mtu);
  const again = record.answeredAgain(seen.psn);
  if (found?.read.disputed === true) return undefined;
  if (found !== undefined && readResponses !== undefined)
    return { rule: readResponses, wrong: wrongPlace(found, mtu, seen, again) };
  const request = record.at(seen.psn);
  if (found !== undefined || request === undefined || request.family === 'read') return undefined;
  return wrongKind(unasked, record, request, seen);
}

/** How no READ has such a response, whatever its length and the path MTU. */
function wrongSize(asked: Asked, seen: ObservedReply): Difference | undefined {
  const { position, packet } = seen;
  const { payloadLength: length } = packet;
  const wrong = lengthOf(position, length, 0);
  const before = asked.otherLengthBefore(seen);
  if (wrong === undefined && before === 0) return undefined;
  const expected = wrong ?? `${before} bytes of payload, as the response before it`;
  return { expected, observed: `${nameOf(seen)} of ${length} bytes` };
}

/** The request calls for a response of another kind, if it is the one that the responder has taken. */
function wrongKind(
  rule: Rule | undefined,
  record: PsnRecord,
  request: SeenRequest,
  seen: ObservedReply,
): AnswerVerdict | undefined {
  if (rule === undefined || request.disputed || record.mayHaveOvertaken(request)) return undefined;
  const expected = `an answer to ${request.name} with PSN ${seen.psn}`;
  return { rule, wrong: { expected, observed: nameOf(seen) } };
}

/**
 * A repetition, of which the capture may lack the request, may begin anywhere in a READ and end before it does. So what was answered before
 * (`again`) may be the end of a part of it.
 */
function wrongPlace(
  { read, count }: WholeRead,
  mtu: number,
  seen: ObservedReply,
  again: boolean,
): Difference | undefined {
  const { packet, psn } = seen;
  const index = psnDiff(psn, read.psn);
  const end = index === count - 1;
  const operation = packet.info?.operation ?? '';
  const ends = operation.endsWith('_LAST') || operation.endsWith('_ONLY');
  const bytes = end ? (read.reth?.dmaLen ?? 0) - index * mtu : mtu;
  const place = end ? 'Last or Only' : 'First or Middle';
  if (ends === end && (mtu === 0 || packet.payloadLength === bytes)) return undefined;
  if (again && ends && (mtu === 0 || packet.payloadLength <= bytes)) return undefined;
  const range = `the READ of ${read.reth?.dmaLen ?? 0} bytes with PSN ${read.psn} to ${psnAdd(read.psn, count - 1)}`;
  return {
    expected: mtu === 0 ? `${place} for ${range}` : `${place} of ${bytes} bytes for ${range}`,
    observed: `${nameOf(seen)} of ${packet.payloadLength} bytes`,
  };
}

function atomicAnswer(
  { atomicValue, unasked, misaligned }: CapturedRules,
  record: PsnRecord,
  seen: ObservedReply,
): AnswerVerdict | undefined {
  const request = record.at(seen.psn);
  const value = seen.packet.atomicOriginal;
  if (request === undefined || request.disputed || value === undefined) return undefined;
  if (request.family !== 'atomic') return wrongKind(unasked, record, request, seen);
  const va = request.atomicEth?.va ?? 0n;
  if (misaligned !== undefined && va % BigInt(atomicBytes) !== 0n && !record.mayHaveOvertaken(request)) {
    const expected = `NAK invalid request of ${request.name} with PSN ${seen.psn} at 0x${va.toString(16)}, which is no multiple of ${atomicBytes}`;
    return { rule: misaligned, wrong: { expected, observed: nameOf(seen) } };
  }
  const before = request.original;
  request.original ??= value;
  if (before === undefined || atomicValue === undefined) return undefined;
  const wrong =
    before === value
      ? undefined
      : {
          expected: `value 0x${before.toString(16)}, as the ATOMIC with PSN ${seen.psn} was answered before`,
          observed: `value 0x${value.toString(16)}`,
        };
  return { rule: atomicValue, wrong };
}

function nameOf({ packet, psn, syndrome }: ObservedReply): string {
  const name = packet.info?.name ?? 'a response';
  return `${syndrome === accessError ? 'NAK remote access error' : name} with PSN ${psn}`;
}
