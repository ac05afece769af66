import { AdapterBroken } from '../adapter.ts';
import type { Clock, MrChange, Verbs } from '../adapter.ts';
import type { MwBind, MwType } from '../../spec/verbs.ts';
import type { AgentClient } from './client.ts';
import type { CallArgs, OptionalCall } from './protocol.ts';

/** What stands behind the first work request of a list. */
function rest<T>(next: readonly T[] = []): { next?: T[] } {
  return next.length === 0 ? {} : { next: [...next] };
}

/**
 * The `Verbs` of a device behind an agent, with those of the optional calls that it has. Events carry the clock's time at which
 * they arrived here.
 */
export function remoteVerbs(
  client: AgentClient,
  clock: Clock,
  has: (call: OptionalCall) => boolean = () => true,
): Verbs {
  // the agent answers null where Verbs promises nothing
  const done = async (answer: Promise<null>): Promise<void> => void (await answer);
  return {
    ...(has('query_device') && { query_device: () => client.call('query_device', {}) }),
    ...(has('query_port') && { query_port: () => client.call('query_port', {}) }),
    ...(has('query_gid') && { query_gid: () => client.call('query_gid', {}) }),
    ...(has('query_pkey') && { query_pkey: (index: number) => client.call('query_pkey', { index }) }),
    ...(has('query_srq') && { query_srq: (srq: number) => client.call('query_srq', { srq }) }),
    ...(has('create_ah') && {
      create_ah: (args: CallArgs<'create_ah'>) => client.call('create_ah', args),
    }),
    ...(has('destroy_ah') && { destroy_ah: (ah: number) => done(client.call('destroy_ah', { ah })) }),
    ...(has('cq_size') && { cq_size: (cq: number) => client.call('cq_size', { cq }) }),
    ...(has('resize_cq') && {
      resize_cq: (cq: number, cqe: number) => client.call('resize_cq', { cq, cqe }),
    }),
    ...(has('rereg_mr') && {
      rereg_mr: (mr: number, change: MrChange) => client.call('rereg_mr', { mr, ...change }),
    }),
    ...(has('alloc_mw') && {
      // a device that knows windows of type 2 alone need not know that there is another
      alloc_mw: (pd: number, type: MwType) =>
        client.call('alloc_mw', { pd, ...(type === 'IBV_MW_TYPE_1' && { type }) }),
    }),
    ...(has('bind_mw') && { bind_mw: (qp: number, bind: MwBind) => client.call('bind_mw', { qp, bind }) }),
    ...(has('dealloc_mw') && { dealloc_mw: (mw: number) => done(client.call('dealloc_mw', { mw })) }),
    alloc_pd: () => client.call('alloc_pd', {}),
    dealloc_pd: (pd) => done(client.call('dealloc_pd', { pd })),
    reg_mr: (args) => client.call('reg_mr', args),
    dereg_mr: (mr) => done(client.call('dereg_mr', { mr })),
    read_memory: async (mr, offset, length) => {
      const bytes = await client.call('read_memory', { mr, offset, length });
      if (bytes.length !== length)
        throw new AdapterBroken(
          `read_memory gave ${bytes.length} bytes, not the ${length} from offset ${offset} on`,
        );
      return bytes;
    },
    write_memory: (mr, offset, bytes) =>
      done(client.call('write_memory', { mr, offset, bytes: Buffer.from(bytes) })),
    create_cq: (args) => client.call('create_cq', args),
    destroy_cq: (cq) => done(client.call('destroy_cq', { cq })),
    poll_cq: (cq, max) => client.call('poll_cq', { cq, max }),
    req_notify_cq: (cq, solicitedOnly) =>
      done(client.call('req_notify_cq', { cq, ...(solicitedOnly === true && { solicited_only: true }) })),
    onCqEvent: (listener) => {
      client.onCq = (cq) => listener(cq, clock.now());
    },
    create_srq: (args) => client.call('create_srq', args),
    modify_srq: (srq, attr) => done(client.call('modify_srq', { srq, attr })),
    destroy_srq: (srq) => done(client.call('destroy_srq', { srq })),
    post_srq_recv: (srq, wr, next) => done(client.call('post_srq_recv', { srq, wr, ...rest(next) })),
    create_qp: (args) => client.call('create_qp', args),
    modify_qp: (qp, attr) => done(client.call('modify_qp', { qp, attr })),
    query_qp: (qp) => client.call('query_qp', { qp }),
    destroy_qp: (qp) => done(client.call('destroy_qp', { qp })),
    post_send: (qp, wr, next) => done(client.call('post_send', { qp, wr, ...rest(next) })),
    post_recv: (qp, wr, next) => done(client.call('post_recv', { qp, wr, ...rest(next) })),
    onAsyncEvent: (listener) => {
      client.onAsync = (event) => listener(event, clock.now());
    },
    onSecondContextEvent: (listener) => {
      client.onSecondContext = (event) => listener(event, clock.now());
    },
  };
}
