const request =
  /^(?:(?:RC|UC|UD|ORC)[_ ])?(?:SEND|RDMA_WRITE|RDMA_READ_REQUEST|COMPARE_SWAP|FETCH_ADD)(?:_(?:FIRST|MIDDLE|LAST|ONLY)\w*)?(?=[ ,]|$)|^IBV_WR_\w+$/;
const refusal =
  /\b(?:RNR NAK|NAK (?:PSN sequence error|(?:Invalid|Remote)(?: \w+)? (?:request|error)|[\w-]+))/;
const response = /(?:\b|_)(?:ACKNOWLEDGE ACK|RDMA_READ_RESPONSE_\w+)(?=[ ,]|$)/;

/** Whether what was seen is a request, whichever. */
export const isRequest = (seen: string): boolean => request.test(seen);

/** A response that grants what was asked for: of which operation, does not matter. */
const isResponse = (text: string): boolean => response.test(text) && !refusal.test(text);

/** A refusal, without what else the packet carries: "NAK Invalid request". */
function refusalOf(text: string): string | undefined {
  return /^(?:ORC )?ACKNOWLEDGE\b|^(?:RNR )?NAK\b/.test(text) ? refusal.exec(text)?.[0] : undefined;
}

/** Names of packets, and of the operations that they carry out, which a case happens to have. */
export function packetWords(text: string): string {
  if (isRequest(text)) return 'request';
  const refused = refusalOf(text);
  if (refused !== undefined) return refused;
  if (!isResponse(text)) return text.replace(/ (?:for IBV_WR_\w+|of a (?:RC|UC|UD) QP)$/, '');
  return /^(?:ORC )?ACKNOWLEDGE\b/.test(text)
    ? 'Acknowledge'
    : text.startsWith('ATOMIC')
      ? 'ATOMIC Acknowledge'
      : 'READ response';
}

/** Words for what was seen that are the same for each packet of a message, whatever flags it has, and for each event. */
export function kindOf(seen: string): string {
  if (isRequest(seen)) return 'request';
  if (isResponse(seen)) return 'response';
  return refusalOf(seen) ?? seen.replace(/\bIBV_EVENT_\w+/, 'event').replace(/ of an? (?:RC|UC|UD) QP$/, '');
}

/** Whether a call of libibverbs, with what follows its name in words, changes attributes of a QP and names no state. */
export function namesNoState(call: string, rest: string): boolean {
  return call === 'ibv_modify_qp' && /^ in [A-Z]+ with /.test(rest) && !/\bqp_state\b/.test(rest);
}

/** The likeliest of several responses that would have been right, each of which may have another number. */
export function likeliest(expected: string): string {
  return expected.replace(
    /, or (?:Acknowledge|NAK|RNR NAK|READ responses?|RDMA_READ_RESPONSE|ATOMIC Ack|no response).*$/,
    '',
  );
}
