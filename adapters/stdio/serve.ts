import { AdapterBroken, VerbsError } from '../adapter.ts';
import type { Adapter, Bench, Clock, Profile, Verbs } from '../adapter.ts';
import { formatLine, protocolVersion } from '../agent/protocol.ts';
import type { CallResult, OptionalCall } from '../agent/protocol.ts';
import { answering } from '../agent/serve.ts';
import type { Handlers } from '../agent/serve.ts';

const notSupported = 95;

/** A call that this device may lack. */
function need<T>(name: OptionalCall, call: T | undefined): T {
  if (call === undefined) throw new VerbsError(name, notSupported);
  return call;
}

/** Moves a virtual clock on to `to`, or to the first moment at which something is sent. */
async function advance(
  clock: Clock,
  to: number,
  sent: () => number,
): Promise<{ now: number; next: number | null }> {
  const next = (): number => clock.nextTimer?.() ?? Infinity;
  const before = sent();
  while (clock.now() < to && sent() === before)
    await clock.sleep(Math.min(to, Math.max(next(), clock.now())) - clock.now());
  // what is due at this very moment, e.g. after a call at it
  if (sent() === before && next() <= clock.now()) await clock.sleep(0);
  const due = next();
  return { now: clock.now(), next: due === Infinity ? null : due };
}

function verbsHandlers(verbs: () => Verbs): Handlers {
  const done = async (call: Promise<void>): Promise<null> => {
    await call;
    return null;
  };
  return {
    query_device: async () => need('query_device', verbs().query_device)(),
    query_port: async () => need('query_port', verbs().query_port)(),
    query_gid: async () => need('query_gid', verbs().query_gid)(),
    query_pkey: async ({ index }) => need('query_pkey', verbs().query_pkey)(index),
    query_srq: async ({ srq }) => need('query_srq', verbs().query_srq)(srq),
    create_ah: async (args) => need('create_ah', verbs().create_ah)(args),
    destroy_ah: async ({ ah }) => done(need('destroy_ah', verbs().destroy_ah)(ah)),
    cq_size: async ({ cq }) => need('cq_size', verbs().cq_size)(cq),
    resize_cq: async ({ cq, cqe }) => need('resize_cq', verbs().resize_cq)(cq, cqe),
    rereg_mr: async ({ mr, ...change }) => need('rereg_mr', verbs().rereg_mr)(mr, change),
    alloc_mw: async ({ pd, type = 'IBV_MW_TYPE_2' }) => need('alloc_mw', verbs().alloc_mw)(pd, type),
    bind_mw: async ({ qp, bind }) => need('bind_mw', verbs().bind_mw)(qp, bind),
    dealloc_mw: async ({ mw }) => done(need('dealloc_mw', verbs().dealloc_mw)(mw)),
    alloc_pd: async () => verbs().alloc_pd(),
    dealloc_pd: async ({ pd }) => done(verbs().dealloc_pd(pd)),
    reg_mr: async (args) => verbs().reg_mr(args),
    dereg_mr: async ({ mr }) => done(verbs().dereg_mr(mr)),
    read_memory: async ({ mr, offset, length }) => Buffer.from(await verbs().read_memory(mr, offset, length)),
    write_memory: async ({ mr, offset, bytes }) => done(verbs().write_memory(mr, offset, bytes)),
    create_cq: async (args) => verbs().create_cq(args),
    destroy_cq: async ({ cq }) => done(verbs().destroy_cq(cq)),
    poll_cq: async ({ cq, max }) => verbs().poll_cq(cq, max),
    req_notify_cq: async ({ cq, solicited_only }) => done(verbs().req_notify_cq(cq, solicited_only)),
    create_srq: async (args) => verbs().create_srq(args),
    modify_srq: async ({ srq, attr }) => done(verbs().modify_srq(srq, attr)),
    destroy_srq: async ({ srq }) => done(verbs().destroy_srq(srq)),
    post_srq_recv: async ({ srq, wr, next }) => done(verbs().post_srq_recv(srq, wr, next)),
    create_qp: async (args) => verbs().create_qp(args),
    modify_qp: async ({ qp, attr }) => done(verbs().modify_qp(qp, attr)),
    query_qp: async ({ qp }) => verbs().query_qp(qp),
    destroy_qp: async ({ qp }) => done(verbs().destroy_qp(qp)),
    post_send: async ({ qp, wr, next }) => done(verbs().post_send(qp, wr, next)),
    post_recv: async ({ qp, wr, next }) => done(verbs().post_recv(qp, wr, next)),
  };
}

/** The profile as it goes on the line: a device here has one of the two clocks. */
const spoken = (profile: Profile, clock: Clock): CallResult<'hello'>['profile'] => ({
  ...profile,
  capabilities: [...profile.capabilities],
  pathMtus: [...profile.pathMtus],
  ipVersions: [...profile.ipVersions],
  clock: clock.kind,
  choices: { ...profile.choices },
});

function callsOf({ verbs, setLink, setGid }: Bench): OptionalCall[] {
  const names = [
    'query_device',
    'query_port',
    'query_gid',
    'query_pkey',
    'query_srq',
    'create_ah',
    'destroy_ah',
    'cq_size',
    'resize_cq',
    'rereg_mr',
    'alloc_mw',
    'dealloc_mw',
  ] as const;
  return [
    ...names.filter((name) => verbs[name] !== undefined),
    ...(setLink ? (['set_link'] as const) : []),
    ...(setGid ? (['set_gid'] as const) : []),
  ];
}

/** The device's side of the stdio protocol over any adapter: what `rdma-conform agent` is. */
export interface AdapterServer {
  /** takes a line from the other side */
  take(line: string): void;
  close(): Promise<void>;
}

/** Serves an adapter. It is opened by the greeting, and anew by each `reset`. */
export function serveAdapter(
  adapter: Adapter,
  put: (line: string) => void,
  log: (line: string) => void,
): AdapterServer {
  let bench: Bench | undefined;
  let sent = 0;
  const tell = (message: object): void => {
    sent++;
    put(formatLine(message));
  };
  const now = (): Bench => {
    if (bench === undefined) throw new AdapterBroken('the greeting comes first');
    return bench;
  };
  const open = async (): Promise<Bench> => {
    await bench?.close();
    bench = undefined;
    const opened = await adapter.open({ log });
    opened.wire?.onFrame((frame) => tell({ frame }));
    opened.verbs.onCqEvent((cq) => tell({ cq }));
    opened.verbs.onAsyncEvent((event) => tell({ async: event }));
    opened.verbs.onSecondContextEvent?.((event) => tell({ async: event, context: 'second' }));
    opened.onRate?.((rate) => tell({ rate }));
    opened.onLog?.((text) => tell({ log: text }));
    bench = opened;
    return opened;
  };
  const handlers: Handlers = {
    ...verbsHandlers(() => now().verbs),
    hello: async () => {
      const opened = await open();
      const { profile, clock, dut, peer } = opened;
      return {
        protocol: protocolVersion,
        profile: spoken(profile, clock),
        dut,
        peer,
        calls: callsOf(opened),
      };
    },
    reset: async () => {
      await open();
      return null;
    },
    advance: async ({ to }) => advance(now().clock, to, () => sent),
    ping: () => null,
    deliver: ({ frame }) => {
      now().wire?.send(frame);
      return null;
    },
    set_gid: async ({ present }) => need('set_gid', now().setGid)(present),
    set_link: async ({ up }) => {
      await need('set_link', now().setLink)(up);
      return null;
    },
  };
  return {
    take: answering(handlers, put, (reason) => tell({ died: reason })),
    close: async () => {
      await bench?.close();
      await adapter.close?.();
    },
  };
}
