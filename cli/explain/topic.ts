import {
  credits,
  creditInvalid,
  decodeSyndrome,
  encodeSyndrome,
  eventType,
  nakCodes,
  opcodes,
  qpState,
  rnrMicroseconds,
  wcStatus,
  type OpcodeInfo,
} from '../../spec/constants.ts';
import { byteText } from '../../oracle/device/byte-text.ts';
import { loadMeanings } from '../../spec/meanings.ts';

export type TopicKind = 'status' | 'event' | 'state' | 'nak' | 'rnr-nak' | 'ack' | 'reserved' | 'opcode';

/** Something that `explain` knows, with the words by which rules and statements name it. */
export interface Topic {
  kind: TopicKind;
  /** e.g. "IBV_WC_SUCCESS" or "NAK invalid request" */
  name: string;
  /** what it is, e.g. "completion status 0" */
  what: string;
  means?: string;
  /** values of facts and outcomes that stand for it, and words in what the vocabulary says of a value */
  words: readonly string[];
  /** other spellings that a person may use */
  aliases: readonly string[];
}

/** Everything with a name of its own. */
export function topics(): Topic[] {
  const meanings = loadMeanings();
  const enumTopics = (
    kind: 'status' | 'event' | 'state',
    prefix: string,
    noun: string,
    names: Iterable<[string, number]>,
  ): Topic[] =>
    [...names].map(([name, number]) => {
      const means = meanings[kind][name];
      const short = name.slice(prefix.length);
      return {
        kind,
        name,
        what: `${noun} ${number}`,
        ...(means !== undefined && { means }),
        words: [name],
        aliases: [short, name.slice('IBV_'.length)],
      };
    });
  const naks = nakCodes.map(({ code, name, title }): Topic => {
    const syndrome = byteText(encodeSyndrome('nak', code));
    const means = meanings.nak[name];
    return {
      kind: 'nak',
      name: `NAK ${title}`,
      what: `AETH syndrome ${syndrome}`,
      ...(means !== undefined && { means }),
      words: [name, syndrome],
      aliases: [name, title, `nak-${name}`, `NAK-${title}`, syndrome],
    };
  });
  return [
    ...enumTopics('status', 'IBV_WC_', 'completion status', Object.entries(wcStatus.numbers)),
    ...enumTopics('event', 'IBV_EVENT_', 'async event', Object.entries(eventType.numbers)),
    ...enumTopics('state', 'IBV_QPS_', 'QP state', Object.entries(qpState.numbers)),
    ...naks,
    { ...rnr, what: 'AETH syndromes 0x20 to 0x3f', aliases: ['rnr-nak', 'RNR'] },
  ];
}

const rnr: Topic = {
  kind: 'rnr-nak',
  name: 'RNR NAK',
  what: '',
  means:
    'The responder has no receive WQE for the request; send it again after the time that the timer code tells.',
  words: ['rnr-nak'],
  aliases: [],
};

/** The topic of a byte: an AETH syndrome; opcodes are named. */
function syndromeTopic(byte: number): Topic {
  const { kind, value } = decodeSyndrome(byte);
  const what = `AETH syndrome ${byteText(byte)}`;
  switch (kind) {
    case 'ack': {
      const content = value === creditInvalid ? 'no credit count' : `${credits[value] ?? 0} credits`;
      const means = `Everything up to its PSN has arrived; it carries ${content}.`;
      return { kind, name: 'ACK', what, means, words: ['ack'], aliases: [] };
    }
    case 'rnr-nak':
      return {
        ...rnr,
        what: `${what}, timer code ${value}: wait at least ${(rnrMicroseconds[value] ?? 0) / 1000} ms`,
      };
    case 'nak': {
      const code = nakCodes.find((c) => c.code === value);
      const found = code && topics().find((t) => t.kind === 'nak' && t.words.includes(code.name));
      return found ?? reserved(what, `NAK code ${value}, which is reserved`);
    }
    case 'reserved':
      return reserved(what, 'A kind of response that is reserved');
  }
}

function reserved(what: string, says: string): Topic {
  const means = `${says}; a requester drops the packet.`;
  return { kind: 'reserved', name: 'reserved syndrome', what, means, words: ['reserved'], aliases: [] };
}

function opcodeTopic(word: string): Topic | undefined {
  // as a ladder has it (RC SEND_ONLY), or a scenario (SEND_ONLY)
  const name = word.trim().replaceAll(/\s+/g, '_').toUpperCase();
  const called = (wanted: string): OpcodeInfo | undefined => opcodes.find((o) => o?.name === wanted);
  const info = called(name) ?? (word === word.toUpperCase() ? called(`RC_${name}`) : undefined);
  if (info === undefined) return undefined;
  return {
    kind: 'opcode',
    name: info.name,
    what: `BTH opcode ${byteText(info.opcode)}, ${info.service} ${info.kind}`,
    means: `Headers after the BTH: ${info.headers.join(', ') || 'none'}${info.payload ? ', and payload' : ''}.`,
    words: [info.name, info.operation],
    aliases: [],
  };
}

/** What ibv_wc_status_str says, where that is not the name of the status in lower case. */
const statusTexts: Readonly<Record<string, string>> = {
  'local length error': 'IBV_WC_LOC_LEN_ERR',
  'local QP operation error': 'IBV_WC_LOC_QP_OP_ERR',
  'local protection error': 'IBV_WC_LOC_PROT_ERR',
  'Work Request Flushed Error': 'IBV_WC_WR_FLUSH_ERR',
  'memory management operation error': 'IBV_WC_MW_BIND_ERR',
  'bad response error': 'IBV_WC_BAD_RESP_ERR',
  'local access error': 'IBV_WC_LOC_ACCESS_ERR',
  'remote invalid request error': 'IBV_WC_REM_INV_REQ_ERR',
  'remote operation error': 'IBV_WC_REM_OP_ERR',
  'transport retry counter exceeded': 'IBV_WC_RETRY_EXC_ERR',
  'RNR retry counter exceeded': 'IBV_WC_RNR_RETRY_EXC_ERR',
  'aborted error': 'IBV_WC_REM_ABORT_ERR',
  'fatal error': 'IBV_WC_FATAL_ERR',
  'response timeout error': 'IBV_WC_RESP_TIMEOUT_ERR',
  'general error': 'IBV_WC_GENERAL_ERR',
};

/** The completion status of a number in decimal, which is how applications print it, or of the text that libibverbs has for it. */
function statusTopic(word: string): Topic | undefined {
  const [, name] = Object.entries(statusTexts).find(([text]) => plainly(text) === plainly(word)) ?? [];
  const number = /^\d{1,3}$/.test(word) ? Number(word) : undefined;
  const topic = topics().find(
    (each) => each.kind === 'status' && (each.name === name || wcStatus.numbers[each.name] === number),
  );
  if (topic === undefined || number === undefined) return topic;
  return {
    ...topic,
    what: `${topic.what}; the AETH syndrome of this number is 0x${number.toString(16).padStart(2, '0')}`,
  };
}

const plainly = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]+/g, '-');

/** What a word names, however it is spelled; `undefined` if nothing. */
export function topicOf(word: string): Topic | undefined {
  const wanted = plainly(word);
  const named = topics().find((t) => [t.name, ...t.aliases].some((alias) => plainly(alias) === wanted));
  if (named !== undefined) return named;
  const status = statusTopic(word);
  if (status !== undefined) return status;
  if (/^(0x[0-9a-f]{1,2}|\d{1,3})$/i.test(word)) {
    const byte = Number(word);
    if (byte <= 0xff) return syndromeTopic(byte);
  }
  return opcodeTopic(word);
}
