import type { AsyncEvent, SendWr, Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { zeroed } from '../../wire/index.ts';
import type { RcQp } from '../device/connection.ts';
import { scatter, totalLength } from '../device/memory.ts';
import type { Requester, RequesterTables } from './requester.ts';
import { isPathEvent } from './migration.ts';
import { Holds, type Stalls } from '../device/stalls.ts';
import { WorkQueue } from '../device/send-queue.ts';
import type { TraceHeader, VerbsCall } from '../trace.ts';
import { senderOf } from '../device/devices.ts';
import { stateName } from '../device/qp-state.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../rulebook/spot.ts';
import { RequesterJudge } from './judge.ts';

type Modify = Extract<VerbsCall, { call: 'modify_qp' }>;

/** The requesters of a device, by QP. Without a view of the verbs calls there are none. */
export class Requesters {
  readonly #header: TraceHeader;
  readonly #tables: RequesterTables;
  readonly stalls: Stalls;
  readonly #ledger: Ledger;
  readonly #byHandle = new Map<number, RequesterJudge>();

  constructor(header: TraceHeader, tables: RequesterTables, ledger: Ledger, stalls: Stalls) {
    this.stalls = stalls;
    this.#header = header;
    this.#tables = tables;
    this.#ledger = ledger;
  }

  all(): IterableIterator<RequesterJudge> {
    return this.#byHandle.values();
  }

  of(handle: number): RequesterJudge | undefined {
    return this.#byHandle.get(handle);
  }

  create(handle: number, connection: RcQp): void {
    if (!connection.atDevice) return;
    const { limits, timing } = this.#header;
    const requester: Requester = {
      connection,
      work: new WorkQueue(),
      attributes: { pmtu: 0, timeout: 0, retryCnt: 0, rnrRetry: 0, maxRdAtomic: 0 },
      copies: new Map(),
      minTimeout: limits?.minTimeout ?? 1,
      stalls: new Holds(this.stalls),
      timing: timing ?? { responseTime: Number.POSITIVE_INFINITY, jitter: Number.POSITIVE_INFINITY },
    };
    this.#byHandle.set(handle, new RequesterJudge(requester, this.#tables, this.#ledger));
  }

  destroy(handle: number): void {
    this.#byHandle.delete(handle);
  }

  post(handle: number, wr: SendWr, { event, t }: When): void {
    const judge = this.#byHandle.get(handle);
    if (judge === undefined) return;
    const { work, attributes } = judge.requester;
    const item = work.add(wr, attributes.pmtu, { event, t }, inlineData(judge.requester.connection, wr));
    judge.push({
      kind: 'call',
      event,
      t,
      commutes: true,
      apply: (state) => void (state.tail = item.index + 1),
    });
  }

  modify({ qp, attr }: Modify, { event, t }: When): void {
    const judge = this.#byHandle.get(qp);
    if (judge === undefined) return;
    if (judge.unsettled) judge.loseSight('modify_qp while requests were under way');
    const { attributes, work } = judge.requester;
    if (attr.path_mtu !== undefined) attributes.pmtu = attr.path_mtu;
    if (attr.timeout !== undefined) attributes.timeout = attr.timeout;
    if (attr.retry_cnt !== undefined) attributes.retryCnt = attr.retry_cnt;
    if (attr.rnr_retry !== undefined) attributes.rnrRetry = attr.rnr_retry;
    if (attr.max_rd_atomic !== undefined) attributes.maxRdAtomic = attr.max_rd_atomic;
    if (attr.sq_psn !== undefined) work.restart(attr.sq_psn);
    judge.push({
      kind: 'call',
      event,
      t,
      apply: (state) => {
        if (attr.qp_state !== undefined) {
          const name = stateName(attr.qp_state);
          if (name === 'RESET') judge.reset(state);
          state.qpState = name;
          state.softwareState = name;
          if (name === 'ERR') state.licences = [];
        }
        if (attr.sq_psn !== undefined) judge.start(state, attr.sq_psn);
        if (attr.retry_cnt !== undefined || attr.rnr_retry !== undefined) judge.reload(state);
        judge.takePaths(state, attr, event);
      },
    });
  }

  /** A call that the device refused: it was free to where the rules give it the choice. */
  refused({ qp, attr }: Modify): void {
    this.#byHandle.get(qp)?.refusedPaths(attr);
  }

  /** A request that the device sent. */
  sent(packet: Packet, event: number, t: number): void {
    const judge = senderOf(packet, this.#byHandle.values(), (j) => j.requester.connection);
    if (judge === undefined) return this.#ledger.skip('requests of unknown QPs');
    judge.push({ kind: 'sent', event, t, packet });
  }

  /** The rate of a QP, by number, keeps it from sending until then. */
  hold(number: number, from: number, until: number): void {
    this.byNumber(number)?.requester.stalls.hold(from, until);
  }

  /** A request that reached the device, which may take the QP to its alternate path. */
  request(packet: Packet, event: number, t: number): void {
    const judge = this.byNumber(packet.destQp);
    if (judge?.state.migration.alternate !== undefined) judge.push({ kind: 'response', event, t, packet });
  }

  /** Takes an event of path migration; false where it is none. */
  announced({ event_type: type, qp_num: number }: AsyncEvent, event: number, t: number): boolean {
    if (!isPathEvent(type)) return false;
    if (number !== undefined) this.byNumber(number)?.push({ kind: 'path', event, t, type });
    return true;
  }

  /** By QP number. */
  byNumber(number: number): RequesterJudge | undefined {
    for (const judge of this.#byHandle.values())
      if (judge.requester.connection.qpNumber === number) return judge;
    return undefined;
  }

  /** A response that reached the device. */
  response(packet: Packet, event: number, t: number): void {
    for (const judge of this.#byHandle.values())
      if (judge.requester.connection.qpNumber === packet.destQp)
        judge.push({ kind: 'response', event, t, packet });
  }

  /** Takes a completion of a send queue; false where it is none. `inError`: the other role has put the QP into ERR. */
  completion(wc: Wc, when: When, qp: { receives: (wrId: number) => boolean; inError: boolean }): boolean {
    for (const judge of this.#byHandle.values()) {
      if (judge.requester.connection.qpNumber !== wc.qp_num || !judge.owns(wc, qp.receives)) continue;
      if (qp.inError && judge.state.qpState !== 'ERR')
        judge.push({ kind: 'call', ...when, apply: (state) => void (state.qpState = 'ERR') });
      judge.push({ kind: 'completion', ...when, wc });
      return true;
    }
    return false;
  }
}

/** What stands in memory when a work request is posted that copies it. */
function inlineData({ memory }: RcQp, wr: SendWr): Uint8Array | undefined {
  if (wr.send_flags?.includes('IBV_SEND_INLINE') !== true) return undefined;
  const length = totalLength(wr.sg_list);
  const parts = scatter(memory, wr.sg_list, 0, length).map(
    ({ region, offset, length: n }) => region?.content.slice(offset, offset + n) ?? zeroed(n),
  );
  return Buffer.concat(parts);
}
