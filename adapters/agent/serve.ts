import { DeviceDied, VerbsError } from '../adapter.ts';
import type { VerbsDevice } from '../verbs/device/device.ts';
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
    query_device: () => device.query(),
    query_port: () => device.port.query(),
    query_gid: () => device.port.gids(),
    query_pkey: ({ index }) => device.port.pkey(index),
    query_srq: ({ srq }) => device.srqs.query(srq),
    create_ah: (args) => device.createAh(args),
    destroy_ah: none(({ ah }) => device.destroyAh(ah)),
    alloc_pd: () => device.allocatePd(),
    dealloc_pd: none(({ pd }) => device.deallocatePd(pd)),
    reg_mr: (args) => device.mrs.register(args),
    dereg_mr: none(({ mr }) => device.mrs.deregister(mr)),
    rereg_mr: ({ mr, ...change }) => device.mrs.change(mr, change),
    alloc_mw: ({ pd, type }) => device.mws.allocate(pd, type),
    bind_mw: ({ qp, bind }) => device.mws.bind(qp, bind),
    dealloc_mw: none(({ mw }) => device.mws.deallocate(mw)),
    read_memory: ({ mr, offset, length }) => device.mrs.read(mr, offset, length),
    write_memory: none(({ mr, offset, bytes }) => device.mrs.write(mr, offset, bytes)),
    create_cq: (args) => device.cqs.create(args.cqe),
    cq_size: ({ cq }) => device.cqs.size(cq),
    resize_cq: ({ cq, cqe }) => device.cqs.resize(cq, cqe),
    destroy_cq: none(({ cq }) => device.cqs.destroy(cq)),
    poll_cq: ({ cq, max }) => device.cqs.poll(cq, max),
    req_notify_cq: none(({ cq, solicited_only }) => device.cqs.requestEvent(cq, solicited_only)),
    create_srq: (args) => device.srqs.create(args),
    modify_srq: none(({ srq, attr }) => device.srqs.modify(srq, attr)),
    destroy_srq: none(({ srq }) => device.srqs.destroy(srq)),
    post_srq_recv: none(({ srq, wr, next }) => device.srqs.post(srq, wr, next)),
    create_qp: (args) => device.qps.create(args),
    modify_qp: none(({ qp, attr }) => device.qps.modify(qp, attr)),
    query_qp: ({ qp }) => device.qps.query(qp),
    destroy_qp: none(({ qp }) => device.qps.destroy(qp)),
    post_send: none(({ qp, wr, next }) => device.qps.postSend(qp, wr, next)),
    post_recv: none(({ qp, wr, next }) => device.qps.postRecv(qp, wr, next)),
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
  device.cqs.onEvent = (cq) => put(formatLine({ cq }));
  device.onAsyncEvent = (event) => put(formatLine({ async: event }));
  device.onSecondContextEvent = (event) => put(formatLine({ async: event, context: 'second' }));
  return answering(handlersOf(device, options.kernel, options.machine), put);
}

/**
 * Answers lines by handlers, each when it is done. A line that cannot be read is answered with id 0. `died`: what is said, in the place of
 * an answer, of a device that a call has killed; absent: that the call failed.
 */
export function answering(
  handlers: Handlers,
  put: (line: string) => void,
  died?: (reason: string) => void,
): (line: string) => void {
  const run = (id: number, name: CallName, args: unknown): void => {
    const fail = (error: unknown): void => {
      if (died !== undefined && error instanceof DeviceDied) died(error.reason);
      else put(formatLine({ id, error: failureOf(name, error) }));
    };
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
