import { VerbsError } from '../adapter.ts';
import type { VerbsDevice } from '../verbs/device.ts';
import { calls, formatLine, parseRequest, protocolVersion } from './protocol.ts';
import type { CallArgs, CallName, CallResult, Failure } from './protocol.ts';

/** What answers calls; a call without one is refused. */
export type Handlers = {
  [N in CallName]?: (args: CallArgs<N>) => CallResult<N> | Promise<CallResult<N>>;
};

/** The calls that only a guest of ours answers. */
export type MachineCalls = Required<Pick<Handlers, 'set_address' | 'exec'>>;

function handlersOf(device: VerbsDevice, kernel: string, machine: MachineCalls | undefined): Handlers {
  const none =
    <A>(run: (args: A) => void) =>
    (args: A): null => {
      run(args);
      return null;
    };
  return {
    machine: () => ({ protocol: protocolVersion, kernel, info: device.info() }),
    query_device: () => device.query_device(),
    query_port: () => device.query_port(),
    query_gid: () => device.query_gid(),
    query_pkey: ({ index }) => device.query_pkey(index),
    query_srq: ({ srq }) => device.query_srq(srq),
    create_ah: (args) => device.create_ah(args),
    destroy_ah: none(({ ah }) => device.destroy_ah(ah)),
    alloc_pd: () => device.alloc_pd(),
    dealloc_pd: none(({ pd }) => device.dealloc_pd(pd)),
    reg_mr: (args) => device.reg_mr(args),
    dereg_mr: none(({ mr }) => device.dereg_mr(mr)),
    rereg_mr: ({ mr, ...change }) => device.rereg_mr(mr, change),
    alloc_mw: ({ pd, type }) => device.alloc_mw(pd, type),
    bind_mw: ({ qp, bind }) => device.bind_mw(qp, bind),
    dealloc_mw: none(({ mw }) => device.dealloc_mw(mw)),
    read_memory: ({ mr, offset, length }) => device.read_memory(mr, offset, length),
    write_memory: none(({ mr, offset, bytes }) => device.write_memory(mr, offset, bytes)),
    create_cq: (args) => device.create_cq(args),
    cq_size: ({ cq }) => device.cq_size(cq),
    resize_cq: ({ cq, cqe }) => device.resize_cq(cq, cqe),
    destroy_cq: none(({ cq }) => device.destroy_cq(cq)),
    poll_cq: ({ cq, max }) => device.poll_cq(cq, max),
    req_notify_cq: none(({ cq, solicited_only }) => device.req_notify_cq(cq, solicited_only)),
    create_srq: (args) => device.create_srq(args),
    modify_srq: none(({ srq, attr }) => device.modify_srq(srq, attr)),
    destroy_srq: none(({ srq }) => device.destroy_srq(srq)),
    post_srq_recv: none(({ srq, wr, next }) => device.post_srq_recv(srq, wr, next)),
    create_qp: (args) => device.create_qp(args),
    modify_qp: none(({ qp, attr }) => device.modify_qp(qp, attr)),
    query_qp: ({ qp }) => device.query_qp(qp),
    destroy_qp: none(({ qp }) => device.destroy_qp(qp)),
    post_send: none(({ qp, wr, next }) => device.post_send(qp, wr, next)),
    post_recv: none(({ qp, wr, next }) => device.post_recv(qp, wr, next)),
    ...machine,
  };
}

function failureOf(call: string, error: unknown): Failure {
  if (error instanceof VerbsError) {
    const { message, errno, badWr, kept } = error;
    return {
      call: error.call,
      message,
      errno,
      ...(badWr !== undefined && { bad_wr: badWr }),
      ...(kept && { kept }),
    };
  }
  return { call, message: error instanceof Error ? error.message : String(error) };
}

/**
 * Answers requests on a device. Feed it lines; it hands back lines, answers in the order of the requests except for
 * `exec` and `set_address`, which answer when they are done.
 */
export function serve(options: {
  device: VerbsDevice;
  kernel: string;
  machine?: MachineCalls;
  put: (line: string) => void;
}): (line: string) => void {
  const { device, put } = options;
  device.onCqEvent = (cq) => put(formatLine({ cq }));
  device.onAsyncEvent = (event) => put(formatLine({ async: event }));
  device.onSecondContextEvent = (event) => put(formatLine({ async: event, context: 'second' }));
  return answering(handlersOf(device, options.kernel, options.machine), put);
}

/** Answers lines by handlers, each when it is done. A line that cannot be read is answered with id 0. */
export function answering(handlers: Handlers, put: (line: string) => void): (line: string) => void {
  const run = (id: number, name: CallName, args: unknown): void => {
    const fail = (error: unknown): void => put(formatLine({ id, error: failureOf(name, error) }));
    const answer = (ok: unknown): void => put(formatLine({ id, ok: ok ?? null }));
    const handle = handlers[name] as ((args: unknown) => unknown) | undefined;
    if (handle === undefined) return fail(new VerbsError(name, notSupported));
    try {
      const result = handle(calls[name].args(args, name));
      if (result instanceof Promise) result.then(answer, fail);
      else answer(result);
    } catch (error) {
      fail(error);
    }
  };

  return (line) => {
    try {
      const { id, call, args } = parseRequest(line);
      run(id, call, args);
    } catch (error) {
      put(formatLine({ id: 0, error: failureOf('request', error) }));
    }
  };
}

/** EOPNOTSUPP */
const notSupported = 95;
