import {
  anything,
  bytes,
  flag,
  integer,
  list,
  named,
  nothing,
  object,
  oneOf,
  orNull,
  ShapeError,
  signed,
  sized,
  text,
  wide,
} from './check.ts';
import type { Check, Checked } from './check.ts';
import { endpoint, mustHaveAddresses, profile, rateRecord, type Ends } from './profile.ts';
import {
  access,
  ahAttr,
  asyncEvent,
  cap,
  deviceAttr,
  gid,
  memoryKey,
  mwBind,
  mwType,
  portAttr,
  qpAttr,
  qpNumber,
  recvWr,
  sendWr,
  srqAttr,
  wc,
} from './shapes.ts';

/** Version of the protocol between a client and a device beyond a channel. Both sides must name the same number. */
export const protocolVersion = 3;

const deviceInfo = object(
  {
    device: text,
    max_qp: integer,
    max_qp_rd_atom: integer,
    max_msg_sz: integer,
    active_mtu: integer,
    gids: list(text),
  },
  { second_context: flag },
);

/** Calls that a device may lack; those that it has are in its greeting. */
export const optionalCalls = [
  'query_device',
  'query_port',
  'query_srq',
  'create_ah',
  'destroy_ah',
  'cq_size',
  'resize_cq',
  'rereg_mr',
  'alloc_mw',
  'dealloc_mw',
  'bind_mw',
  'set_link',
  'query_gid',
  'query_pkey',
  'set_gid',
] as const;
export type OptionalCall = (typeof optionalCalls)[number];

/** The number of the protocol is looked at before anything else: another version may have other shapes. */
function versioned<T>(inner: Check<T>): Check<T> {
  const run = (value: unknown, path: string): T => {
    const said =
      typeof value === 'object' && value !== null && 'protocol' in value ? value.protocol : undefined;
    if (said !== protocolVersion && typeof said === 'number')
      throw new ShapeError(`${path}.protocol`, `${protocolVersion}, the version that is spoken here`, said);
    return inner(value, path);
  };
  return Object.assign(run, { schema: inner.schema });
}

function reachable<T extends Ends>(inner: Check<T>): Check<T> {
  const run = (value: unknown, path: string): T => {
    const hello = inner(value, path);
    mustHaveAddresses(hello, path);
    return hello;
  };
  return Object.assign(run, { schema: inner.schema });
}

interface Call<A, R> {
  says: string;
  args: Check<A>;
  result: Check<R>;
}
const call = <A, R>(says: string, args: Check<A>, result: Check<R>): Call<A, R> => ({ says, args, result });

/** Every call: what it does, and the shape of its `args` and of its `result` on the line. */
export const calls = {
  hello: call(
    'The first call. The device says what it is: profile, own addresses, those that its peer is to use, and the optional calls that it has. `call_limit_ms` is how long a call may take; default 5000, at most 600000.',
    object({ protocol: integer }),
    versioned(
      reachable(
        object(
          { protocol: integer, profile, dut: endpoint, peer: endpoint },
          { calls: list(oneOf(...optionalCalls)), call_limit_ms: integer },
        ),
      ),
    ),
  ),
  reset: call(
    'Virtual clock only. Forgets everything and begins again as new, at time 0. Comes before each case.',
    object({}),
    nothing,
  ),
  advance: call(
    'Virtual clock only. Moves the time on to `to` and does what is due until then. A device that sends something (frame, cq, async, rate) stops there. `now`: time reached, which is `to` unless something was sent; `next`: when its next timer fires, or null.',
    object({ to: integer }),
    object({ now: integer, next: orNull(integer) }),
  ),
  ping: call('Real clock only, some 50 times a second. Answered at once.', object({}), nothing),
  deliver: call('An Ethernet frame arrives at the port of the device.', object({ frame: bytes }), nothing),
  set_link: call('Takes the link of the port down or up.', object({ up: flag }), nothing),
  set_gid: call(
    'Gives the port one more address, which no connection uses, or takes it away again; gives its GID.',
    object({ present: flag }),
    gid,
  ),
  query_device: call('ibv_query_device', object({}), deviceAttr),
  query_port: call('ibv_query_port', object({}), portAttr),
  query_gid: call(
    'ibv_query_gid, of each index of the port: 32 hex digits each, 0 where an entry is not used',
    object({}),
    list(gid),
  ),
  query_pkey: call(
    'ibv_query_pkey; gives the P_Key of that entry in host byte order',
    object({ index: integer }),
    integer,
  ),
  query_srq: call('ibv_query_srq', object({ srq: integer }), srqAttr),
  create_ah: call('ibv_create_ah; gives a handle', object({ pd: integer, attr: ahAttr }), integer),
  destroy_ah: call('ibv_destroy_ah', object({ ah: integer }), nothing),
  alloc_pd: call('ibv_alloc_pd; gives a handle', object({}), integer),
  dealloc_pd: call('ibv_dealloc_pd', object({ pd: integer }), nothing),
  reg_mr: call(
    'Allocates `length` bytes of zeros, with 64 more on either side that belong to nobody, and registers them as ibv_reg_mr does; with `iova`, as ibv_reg_mr_iova does.',
    object({ pd: integer, length: integer, access }, { iova: wide }),
    object({ mr: integer, addr: wide, lkey: memoryKey, rkey: memoryKey }),
  ),
  dereg_mr: call('ibv_dereg_mr', object({ mr: integer }), nothing),
  rereg_mr: call(
    'ibv_rereg_mr, of what is there: `pd` is IBV_REREG_MR_CHANGE_PD, `access` IBV_REREG_MR_CHANGE_ACCESS, `length` IBV_REREG_MR_CHANGE_TRANSLATION, to other memory of that many bytes of zeros, allocated as for reg_mr. A refusal with `kept` leaves the region as it was; without, nobody is to use it.',
    object({ mr: integer }, { pd: integer, access, length: integer }),
    object({ addr: wide, lkey: memoryKey, rkey: memoryKey }),
  ),
  alloc_mw: call(
    'ibv_alloc_mw; gives a handle and the R_Key of the window, which is not bound; `type` absent: IBV_MW_TYPE_2',
    object({ pd: integer }, { type: mwType }),
    object({ mw: integer, rkey: memoryKey }),
  ),
  dealloc_mw: call('ibv_dealloc_mw', object({ mw: integer }), nothing),
  bind_mw: call(
    'ibv_bind_mw of a window of type 1; gives the R_Key that the call puts into the window. `length` 0 unbinds it.',
    object({ qp: integer, bind: mwBind }),
    memoryKey,
  ),
  read_memory: call(
    'Bytes of a region; `offset` may lie 64 bytes before its beginning or end 64 behind its end.',
    object({ mr: integer, offset: signed, length: integer }),
    bytes,
  ),
  write_memory: call('Puts bytes into a region.', object({ mr: integer, offset: integer, bytes }), nothing),
  create_cq: call(
    'ibv_create_cq with room for `cqe` completions; gives a handle',
    object({ cqe: integer }),
    integer,
  ),
  cq_size: call('Completions that the CQ has room for.', object({ cq: integer }), integer),
  resize_cq: call(
    'ibv_resize_cq with room for `cqe` completions; gives how many there is room for now',
    object({ cq: integer, cqe: integer }),
    integer,
  ),
  destroy_cq: call('ibv_destroy_cq', object({ cq: integer }), nothing),
  poll_cq: call(
    'ibv_poll_cq; takes `max` completions at most',
    object({ cq: integer, max: integer }),
    list(wc),
  ),
  req_notify_cq: call(
    'ibv_req_notify_cq; the next completion is reported by one message cq. `solicited_only`: the next one that is an error, or the receive of a message whose solicited event bit is set.',
    object({ cq: integer }, { solicited_only: flag }),
    nothing,
  ),
  create_srq: call(
    'ibv_create_srq; gives a handle',
    object({ pd: integer, max_wr: integer, max_sge: integer }, { srq_limit: integer }),
    integer,
  ),
  modify_srq: call(
    'ibv_modify_srq',
    object({ srq: integer, attr: object({}, { max_wr: integer, srq_limit: integer }) }),
    nothing,
  ),
  destroy_srq: call('ibv_destroy_srq', object({ srq: integer }), nothing),
  post_srq_recv: call(
    'ibv_post_srq_recv; `next` as for post_send',
    object({ srq: integer, wr: recvWr }, { next: list(recvWr) }),
    nothing,
  ),
  create_qp: call(
    'ibv_create_qp; gives handle and number, and the room that was made where that is more than was asked for',
    object(
      {
        pd: integer,
        qp_type: oneOf('IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD', 'IBV_QPT_XRC_SEND', 'IBV_QPT_XRC_RECV'),
        send_cq: integer,
        recv_cq: integer,
        cap,
      },
      { srq: integer, sq_sig_all: flag, ooo: flag },
    ),
    object({ qp: integer, qp_num: qpNumber }, { cap }),
  ),
  modify_qp: call(
    'ibv_modify_qp; its mask is the keys that are there',
    object({ qp: integer, attr: qpAttr }),
    nothing,
  ),
  query_qp: call('ibv_query_qp', object({ qp: integer }), qpAttr),
  destroy_qp: call('ibv_destroy_qp', object({ qp: integer }), nothing),
  post_send: call(
    'ibv_post_send; `next`: those behind `wr` in the list. A refusal says by `bad_wr` which one was refused.',
    object({ qp: integer, wr: sendWr }, { next: list(sendWr) }),
    nothing,
  ),
  post_recv: call(
    'ibv_post_recv; `next` as for post_send',
    object({ qp: integer, wr: recvWr }, { next: list(recvWr) }),
    nothing,
  ),
  /** Guest only: the greeting of a guest of ours. */
  machine: call(
    '',
    object({ protocol: integer }),
    versioned(object({ protocol: integer, kernel: text, info: deviceInfo })),
  ),
  /** Guest only: takes the address of the n-th guest on a wire. */
  set_address: call('', object({ index: integer }), deviceInfo),
  /** Guest only: runs a program of the image to its end. */
  exec: call(
    '',
    object({ argv: list(text), timeout_ms: integer }),
    object({ code: integer, stdout: text, stderr: text }),
  ),
};

export type CallName = keyof typeof calls;
export type CallArgs<N extends CallName> = Checked<(typeof calls)[N]['args']>;
export type CallResult<N extends CallName> = Checked<(typeof calls)[N]['result']>;

/** Calls that only a guest of ours answers. */
export type GuestCall = 'machine' | 'set_address' | 'exec';
const guestCalls: ReadonlySet<CallName> = new Set<GuestCall>(['machine', 'set_address', 'exec']);
const callNames = Object.keys(calls) as CallName[];
/** Calls to a device beyond a pipe. */
export const deviceCalls: readonly CallName[] = callNames.filter((name) => !guestCalls.has(name));

const request = object({ id: integer, call: oneOf(...callNames), args: anything });
export interface Request {
  id: number;
  call: CallName;
  args: unknown;
}

const failure = named(
  'failure',
  object({ call: text, message: text }, { errno: integer, bad_wr: integer, kept: flag }),
);
/** Why a call failed: `errno` where libibverbs refused it; `bad_wr`: place in the list of the work request that was refused, from 0; `kept`: ibv_rereg_mr has changed nothing. */
export type Failure = Checked<typeof failure>;

const answer = object({ id: integer, ok: anything });

/** Bytes of an Ethernet frame: its header alone, or with VLAN tags and the largest IP packet. */
const frameBytes = { least: 14, most: 65_575 };

/** Every line that a device may send. */
export const messages = {
  answer,
  refusal: object({ id: integer, error: failure }),
  frame: object({ frame: sized(frameBytes.least, frameBytes.most) }),
  cq: object({ cq: integer }),
  async: object({ async: asyncEvent }, { context: oneOf('second') }),
  rate: object({ rate: rateRecord }),
  log: object({ log: text }),
  died: object({ died: text }),
};

export type FromAgent =
  | { kind: 'answer'; id: number; ok: unknown }
  | { kind: 'refusal'; id: number; error: Failure }
  | { kind: 'frame'; frame: Buffer }
  | { kind: 'cq'; cq: number }
  | { kind: 'async'; event: Checked<typeof asyncEvent>; context?: 'second' }
  | { kind: 'rate'; record: Checked<typeof rateRecord> }
  | { kind: 'log'; text: string }
  | { kind: 'died'; reason: string };

/** One line from a client. Throws ShapeError or NoJson. */
export function parseRequest(line: string): Request {
  const { id, call: name, args } = request(JSON.parse(line), 'request');
  return { id, call: name, args };
}

/** A line is no JSON: who wrote it does not speak the protocol there. */
export class NoJson extends SyntaxError {}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (thrown) {
    const what =
      line.trim() === ''
        ? 'an empty line'
        : line.startsWith('\uFEFF')
          ? 'a line that begins with a byte order mark'
          : 'a line that is no JSON';
    throw new NoJson(what, { cause: thrown });
  }
}

/** One line from the agent. Throws ShapeError or NoJson. */
export function parseFromAgent(line: string): FromAgent {
  const value = fromJson(line);
  if (typeof value === 'object' && value !== null) {
    if ('ok' in value) {
      const { id, ok } = answer(value, 'answer');
      return { kind: 'answer', id, ok };
    }
    if ('error' in value) return { kind: 'refusal', ...messages.refusal(value, 'refusal') };
    if ('frame' in value) return { kind: 'frame', ...messages.frame(value, 'message') };
    if ('async' in value) {
      const { async: event, ...context } = messages.async(value, 'event');
      return { kind: 'async', event, ...context };
    }
    if ('rate' in value) return { kind: 'rate', record: messages.rate(value, 'event').rate };
    if ('died' in value) return { kind: 'died', reason: messages.died(value, 'event').died };
    if ('log' in value) return { kind: 'log', text: messages.log(value, 'event').log };
    if ('id' in value) throw ShapeError.missing('answer.ok', 'an answer has "ok", if only null, or "error"');
    if ('cq' in value) return { kind: 'cq', ...messages.cq(value, 'message') };
  }
  throw new ShapeError('message', 'one with "id", "frame", "cq", "async", "rate", "log" or "died"', value);
}

/** What JSON can carry: bigint becomes a decimal string, bytes become base64. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  const out: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) out[key] = plain(entry);
  return out;
}

/** A message as one line. */
export function formatLine(message: object): string {
  return `${JSON.stringify(plain(message))}\n`;
}
