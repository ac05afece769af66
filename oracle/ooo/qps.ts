import type { QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressOf } from '../device/address.ts';
import { PlacedMemory } from './memory.ts';
import { isOutOfOrder } from './packet.ts';
import type { OutOfOrderPair } from './pair.ts';
import type { OutOfOrderQp } from './qp.ts';
import type { OutOfOrderTables } from './tables.ts';
import { isResponse } from '../device/opcode-shape.ts';
import { ReceiveQueue } from '../device/receive-queue.ts';
import { isSendOpcode } from '../device/send-queue.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../trace.ts';
import { fatalEvents } from '../device/fatal-events.ts';
import { stateName } from '../device/qp-state.ts';
import type { Device } from '../device/devices.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { judgePlacedMemory } from './read-back.ts';
import { OrdinaryOrder } from './ordinary.ts';
import { OutOfOrderRequester } from './requester.ts';
import { OutOfOrderResponder } from './responder.ts';

type CallEvent = Extract<TraceEvent, { kind: 'call' }>;
type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;
type CompletionEvent = Extract<TraceEvent, { kind: 'completion' }>;

/** Judges the out-of-order QPs of a device whose packets and verbs calls are all seen. */
export class OutOfOrderQps {
  readonly #tables: OutOfOrderTables;
  readonly #ledger: Ledger;
  readonly #device: Device;
  readonly #header: TraceHeader;
  readonly #pairs = new Map<number, OutOfOrderPair>();
  readonly #byNumber = new Map<number, OutOfOrderPair>();
  readonly #shared = new Map<number, { posted: ReceiveQueue; users: OutOfOrderPair[] }>();
  readonly #placed = new PlacedMemory();
  /** RC QPs that are not out of order, by handle and by number */
  readonly #ordinary = new Map<number, OrdinaryOrder>();
  readonly #ordinaryNumbers = new Map<number, OrdinaryOrder>();

  constructor(header: TraceHeader, tables: OutOfOrderTables, ledger: Ledger, device: Device) {
    this.#header = header;
    this.#tables = tables;
    this.#ledger = ledger;
    this.#device = device;
  }

  /** Takes every event in order, before anybody else; true where nobody else has to look at it. */
  see(event: TraceEvent, index: number): boolean {
    if (event.kind === 'call') return this.#call(event, index);
    if (this.#ordinary.size > 0) this.#watch(event, index);
    if (this.#pairs.size === 0) return false;
    switch (event.kind) {
      case 'packet':
        return this.#packet(event, index);
      case 'completion':
        return this.#completion(event, index);
      case 'memory': {
        if (this.#device.byHandle.size > 0) return false;
        const pairs = [...this.#pairs.values()];
        const around = { pairs, tables: this.#tables, ledger: this.#ledger, device: this.#device };
        judgePlacedMemory(around, event, index);
        return true;
      }
      case 'async':
        if (fatalEvents.has(event.event.event_type)) this.#loseSight(event.event.event_type);
        return false;
      case 'link':
        if (!event.up) this.#loseSight('the link was down');
        return false;
      case 'gap':
        this.#loseSight(event.reason);
        return false;
      case 'settled':
        for (const { responder, requester } of this.#pairs.values()) {
          responder.settle(event.t);
          requester.settle({ event: index, t: event.t });
        }
        return false;
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'rate':
      case 'hop':
      case 'gone':
        return false;
    }
  }

  /** What must be seen of every RC QP, whatever order packets come in. */
  #watch(event: TraceEvent, index: number): void {
    const when = { event: index, t: event.t };
    if (event.kind === 'packet') {
      const { packet, direction } = event;
      const known = this.#ordinaryNumbers.get(packet.destQp);
      if (direction === 'to-dut') {
        if (!isResponse(packet.opcode)) known?.packet(packet);
        return;
      }
      const [only, other] = [...this.#ordinary.values()];
      if (other === undefined && answers(packet)) only?.answered(packet, when);
    } else if (event.kind === 'completion') {
      const { wc } = event;
      if (wc.opcode === undefined || !isSendOpcode(wc.opcode))
        this.#ordinaryNumbers.get(wc.qp_num)?.completion(wc, when);
    } else if (event.kind === 'gap' || event.kind === 'link') {
      for (const one of this.#ordinary.values()) one.loseSight();
    }
  }

  /** Calls that concern ordinary RC QPs. */
  #noted(event: CallEvent): void {
    if (event.call === 'create_qp') {
      const { sight } = this.#header;
      const sees = sight.packets === 'at-device' && sight.verbs && event.srq === undefined;
      if (event.ooo === true || event.qp_type !== 'IBV_QPT_RC' || !sees) return;
      const name = `qp 0x${event.qp_num.toString(16).padStart(6, '0')}`;
      const one = new OrdinaryOrder(name, this.#tables, this.#ledger);
      this.#ordinary.set(event.qp, one);
      this.#ordinaryNumbers.set(event.qp_num, one);
    } else if (event.call === 'post_recv') this.#ordinary.get(event.qp)?.post(event.wr);
    else if (event.call === 'modify_qp') {
      const one = this.#ordinary.get(event.qp);
      const { qp_state, rq_psn, path_mtu } = event.attr;
      if (qp_state === 'IBV_QPS_RESET') one?.reset();
      if (rq_psn !== undefined) one?.start(rq_psn, path_mtu ?? 0);
    } else if (event.call === 'destroy_qp') this.#ordinary.get(event.qp)?.loseSight();
  }

  #loseSight(why: string): void {
    for (const { responder, requester } of this.#pairs.values()) {
      responder.loseSight(why);
      requester.loseSight(why);
    }
  }

  #packet({ packet, direction, t }: PacketEvent, index: number): boolean {
    const addresses = this.#header.dut?.addresses;
    const inbound = direction === 'unknown' ? addresses?.includes(packet.dstIp) : direction === 'to-dut';
    const when = { event: index, t };
    if (inbound === true) {
      const pair = this.#byNumber.get(packet.destQp);
      if (pair === undefined || packet.info?.kind === 'cnp') return false;
      this.#ledger.packets++;
      if (isResponse(packet.opcode)) pair.requester.response(packet, when);
      else pair.responder.packet(packet, when);
      return true;
    }
    const pair = this.#senderOf(packet);
    if (pair === undefined || packet.info?.kind === 'cnp') return false;
    this.#ledger.packets++;
    if (isResponse(packet.opcode)) pair.responder.replied(packet, when);
    else pair.requester.sent(packet, when);
    return true;
  }

  /** The QP that the packet comes from. Of the only QP of a device, whatever it looks like. */
  #senderOf(packet: Packet): OutOfOrderPair | undefined {
    const pairs = [...this.#pairs.values()];
    if (pairs.length === 1 && this.#device.byHandle.size === 0) return pairs[0];
    return isOutOfOrder(packet) ? pairs.find(({ qp }) => qp.peerQpNumber === packet.destQp) : undefined;
  }

  #completion({ wc, t, cq }: CompletionEvent, index: number): boolean {
    const pair = this.#byNumber.get(wc.qp_num);
    if (pair === undefined) return false;
    const { requester, responder, qp } = pair;
    const success = wc.status === 'IBV_WC_SUCCESS';
    const sends =
      success && wc.opcode !== undefined
        ? isSendOpcode(wc.opcode)
        : qp.sendCq !== qp.receiveCq
          ? cq === qp.sendCq
          : requester.has(wc.wr_id) || !qp.posted.has(wc.wr_id);
    const when = { event: index, t };
    if (!sends) responder.completion(wc, when);
    else {
      requester.completion(wc, when);
      // what fails the requester fails the QP
      if (requester.failed) responder.failed = true;
    }
    return true;
  }

  /** Calls that concern a QP that is not out of order are left to others. */
  #call(event: CallEvent, index: number): boolean {
    const when = { event: index, t: event.t };
    this.#noted(event);
    switch (event.call) {
      case 'create_qp':
        return this.#create(event);
      case 'create_srq':
        this.#shared.set(event.srq, { posted: new ReceiveQueue(), users: [] });
        return false;
      case 'post_srq_recv':
        this.#shared.get(event.srq)?.posted.push(event.wr);
        return false;
      case 'post_recv':
        this.#pairs.get(event.qp)?.qp.posted.push(event.wr);
        return this.#pairs.has(event.qp);
      case 'post_send':
        this.#pairs.get(event.qp)?.requester.post(event.wr, when);
        return this.#pairs.has(event.qp);
      case 'modify_qp':
        this.#modify(event);
        return this.#pairs.has(event.qp);
      case 'query_qp':
        return this.#pairs.has(event.qp);
      case 'destroy_qp': {
        const pair = this.#pairs.get(event.qp);
        this.#pairs.delete(event.qp);
        if (pair !== undefined) this.#byNumber.delete(pair.qp.qpNumber);
        return pair !== undefined;
      }
      case 'write_memory': {
        const region = this.#device.memory.regions.get(event.mr);
        if (region) this.#placed.forget(region, event.offset, event.bytes.length);
        this.#memoryChanges('memory written by software while packets were under way', false);
        return false;
      }
      case 'dereg_mr':
        this.#memoryChanges('dereg_mr while packets were under way', true);
        return false;
      case 'reg_mr':
      case 'create_cq':
      case 'create_ah':
      case 'modify_srq':
      case 'query_srq':
      case 'query_port':
      case 'query_device':
        return false;
    }
  }

  #memoryChanges(why: string, removed: boolean): void {
    for (const { responder, requester } of this.#pairs.values()) {
      if (responder.unsettled) responder.loseSight(why);
      if (removed && requester.unsettled) requester.loseSight(why);
      else requester.written();
    }
  }

  #create(call: Extract<VerbsCall, { call: 'create_qp' }>): boolean {
    if (call.ooo !== true) return false;
    if (this.#header.sight.packets !== 'at-device' || !this.#header.sight.verbs) {
      this.#ledger.skip('out-of-order QPs whose packets or calls are not all seen');
      return true;
    }
    const queue = call.srq === undefined ? undefined : this.#shared.get(call.srq);
    const posted = queue?.posted ?? new ReceiveQueue();
    const qp: OutOfOrderQp = {
      name: `qp 0x${call.qp_num.toString(16).padStart(6, '0')}`,
      qpNumber: call.qp_num,
      pd: call.pd,
      sendCq: call.send_cq,
      receiveCq: call.recv_cq,
      signalsAll: call.sq_sig_all === true,
      shared: call.srq !== undefined,
      access: [],
      pmtu: 0,
      pkey: 0xffff,
      peerQpNumber: undefined,
      peerAddress: undefined,
      maxDestRdAtomic: 0,
      maxRdAtomic: 0,
      timeout: 0,
      retryCnt: 0,
      rnrRetry: 0,
      state: 'RESET',
      posted,
      firstReceive: 0,
      memory: this.#device.memory,
      placed: this.#placed,
      profile: this.#header.outOfOrder,
    };
    const pair: OutOfOrderPair = {
      qp,
      responder: new OutOfOrderResponder(qp, this.#tables, this.#ledger),
      requester: new OutOfOrderRequester(
        qp,
        this.#tables,
        this.#ledger,
        this.#header.timing?.responseTime ?? 0,
      ),
    };
    this.#pairs.set(call.qp, pair);
    this.#byNumber.set(call.qp_num, pair);
    queue?.users.push(pair);
    if ((queue?.users.length ?? 0) > 1)
      for (const user of queue?.users ?? []) user.responder.loseSight('an SRQ with several QPs');
    return true;
  }

  #modify({ qp: handle, attr }: Extract<CallEvent, { call: 'modify_qp' }>): void {
    const pair = this.#pairs.get(handle);
    if (pair === undefined) return;
    const { qp, responder, requester } = pair;
    if (responder.unsettled && changesReception(attr))
      responder.loseSight('modify_qp while packets were under way');
    if (requester.unsettled && attr.qp_state !== undefined)
      requester.loseSight('modify_qp while packets were under way');
    if (attr.qp_access_flags !== undefined) qp.access = attr.qp_access_flags;
    if (attr.path_mtu !== undefined) qp.pmtu = attr.path_mtu;
    if (attr.dest_qp_num !== undefined) qp.peerQpNumber = attr.dest_qp_num;
    if (attr.ah_attr !== undefined) qp.peerAddress = addressOf(attr.ah_attr.dgid);
    if (attr.max_dest_rd_atomic !== undefined) qp.maxDestRdAtomic = attr.max_dest_rd_atomic;
    if (attr.max_rd_atomic !== undefined) qp.maxRdAtomic = attr.max_rd_atomic;
    if (attr.timeout !== undefined) qp.timeout = attr.timeout;
    if (attr.retry_cnt !== undefined) qp.retryCnt = attr.retry_cnt;
    if (attr.rnr_retry !== undefined) qp.rnrRetry = attr.rnr_retry;
    if (attr.alt_ah_attr !== undefined) requester.leaveOut('alternate paths of out-of-order QPs');
    if (attr.qp_state !== undefined) {
      qp.state = stateName(attr.qp_state);
      // ibv_modify_qp to RESET forgets the WQEs of the QP's own receive queue
      if (qp.state === 'RESET' && !qp.shared) qp.firstReceive = qp.posted.length;
      // which WQEs of an SRQ it had taken by then is not known
      if (qp.state === 'RESET' && qp.shared && responder.reached)
        responder.loseSight('RESET of a QP on an SRQ');
    }
    if (attr.rq_psn !== undefined) responder.start(attr.rq_psn);
    if (attr.sq_psn !== undefined) requester.start(attr.sq_psn);
  }
}

function answers({ info }: Packet): boolean {
  const operation = info?.service === 'RC' ? info.operation : '';
  return operation.startsWith('RDMA_READ_RESPONSE') || operation === 'ATOMIC_ACKNOWLEDGE';
}

/** Whether the call decides on packets that may be under way. */
function changesReception({ qp_state, qp_access_flags, ah_attr, rq_psn, path_mtu }: QpAttr): boolean {
  const state = qp_state === 'IBV_QPS_RESET' || qp_state === 'IBV_QPS_ERR' || qp_state === 'IBV_QPS_RTR';
  return state || [qp_access_flags, ah_attr, rq_psn, path_mtu].some((value) => value !== undefined);
}
