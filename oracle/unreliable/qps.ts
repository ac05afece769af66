import type { AsyncEvent, QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressOf } from '../device/address.ts';
import { isResponse } from '../device/opcode-shape.ts';
import { isSendOpcode } from '../device/send-queue.ts';
import { admissionFacts } from './facts.ts';
import { ReceiveQueue } from '../device/receive-queue.ts';
import { ReceiveState } from './qp.ts';
import type { UnreliablePair } from './pair.ts';
import type { UnreliableQp } from './qp.ts';
import { onlyRule } from './tables.ts';
import type { UnreliableService, UnreliableTables } from './tables.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../trace.ts';
import { fatalEvents } from '../device/fatal-events.ts';
import { stateName } from '../device/qp-state.ts';
import type { Device } from '../device/devices.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { judgeUnreliableMemory, judgeUnreliableState } from './read-back.ts';
import { UnreliableReceiver } from './receiver.ts';
import { UnreliableSender } from './sender.ts';

type CallEvent = Extract<TraceEvent, { kind: 'call' }>;
type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;
type CompletionEvent = Extract<TraceEvent, { kind: 'completion' }>;

const requestEvents: ReadonlySet<string> = new Set(['IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR']);

/** Judges the UC and UD QPs of a device whose packets are all seen. Verbs calls must be in the trace. */
export class UnreliableQps {
  readonly #tables: UnreliableTables;
  readonly #ledger: Ledger;
  readonly #device: Device;
  readonly #header: TraceHeader;
  readonly #pairs = new Map<number, UnreliablePair>();
  readonly #byNumber = new Map<number, UnreliablePair>();
  readonly #shared = new Map<number, { posted: ReceiveQueue; users: UnreliablePair[] }>();
  readonly #addresses = new Map<number, string | undefined>();
  #mtu: number | undefined;

  constructor(header: TraceHeader, tables: UnreliableTables, ledger: Ledger, device: Device) {
    this.#header = header;
    this.#tables = tables;
    this.#ledger = ledger;
    this.#device = device;
  }

  /** Takes every event in order, before anybody else; true where nobody else has to look at it. */
  see(event: TraceEvent, index: number): boolean {
    if (event.kind === 'call') this.#call(event, index);
    if (this.#pairs.size === 0) return false;
    switch (event.kind) {
      case 'packet':
        return this.#packet(event, index);
      case 'completion':
        return this.#completion(event, index);
      case 'memory':
        if (this.#device.byHandle.size > 0) return false;
        judgeUnreliableMemory(
          {
            pairs: [...this.#pairs.values()],
            tables: this.#tables,
            ledger: this.#ledger,
            device: this.#device,
          },
          event,
          index,
        );
        return true;
      case 'async':
        this.#event(event.event, index, event.t);
        return false;
      case 'link':
        if (!event.up) this.#loseSight('the link was down');
        return false;
      case 'gap':
        this.#loseSight(event.reason);
        return false;
      case 'settled':
        for (const { receiver, sender } of this.#pairs.values()) {
          receiver.settle(event.t);
          sender.settle(receiver.lost || receiver.mayHaveFailed, event.t);
        }
        return false;
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'rate':
      case 'gone':
      case 'hop':
        return false;
    }
  }

  #event({ event_type: type, qp_num: number }: AsyncEvent, index: number, t: number): void {
    if (requestEvents.has(type) && number !== undefined)
      this.#byNumber.get(number)?.receiver.complained(type, index, t);
    if (fatalEvents.has(type)) this.#loseSight(type);
  }

  #loseSight(why: string): void {
    for (const { receiver, sender } of this.#pairs.values()) {
      receiver.loseSight(why);
      sender.loseSight(why);
    }
  }

  #packet({ packet, direction, t }: PacketEvent, index: number): boolean {
    const addresses = this.#header.dut?.addresses;
    const inbound = direction === 'unknown' ? addresses?.includes(packet.dstIp) : direction === 'to-dut';
    const others = this.#device.byHandle.size > 0;
    if (inbound === true) {
      const pair = this.#byNumber.get(packet.destQp);
      if (pair !== undefined) {
        pair.receiver.packet(packet, index);
        this.#ledger.packets++;
        return true;
      }
      const service = serviceOf(packet);
      if (service === undefined || this.#device.byNumber.has(packet.destQp)) return false;
      this.#stray(service, packet);
      if (!others) this.#ledger.packets++;
      return !others;
    }
    const pair = this.#senderOf(packet, others);
    if (pair === undefined) return false;
    this.#ledger.packets++;
    if (isResponse(packet.opcode)) pair.receiver.answered(packet, index, t);
    else if (packet.info?.service !== 'CNP') {
      const { memory } = pair.receiver.state;
      pair.sender.sent(
        packet,
        { address: (ah) => (ah === undefined ? undefined : this.#addresses.get(ah)), memory },
        index,
        t,
      );
    }
    return true;
  }

  /** A packet to a QP number that the device does not have. */
  #stray(service: UnreliableService, packet: Packet): void {
    const rules = this.#tables.admission[service](admissionFacts(service, undefined, undefined, packet));
    this.#ledger.exercise(rules);
    const rule = onlyRule(rules, `${service} admission`);
    for (const { receiver } of this.#pairs.values()) receiver.stray(packet, rule);
  }

  /** The QP that the packet comes from. Of the only QP of a device, whatever it looks like. */
  #senderOf(packet: Packet, others: boolean): UnreliablePair | undefined {
    const source = packet.deth?.srcQp;
    if (source !== undefined) {
      const found = this.#byNumber.get(source);
      if (found !== undefined) return found;
    }
    const [only, second] = [...this.#pairs.values()];
    if (only !== undefined && second === undefined && !others) return only;
    const service = serviceOf(packet);
    for (const pair of this.#pairs.values())
      if (pair.qp.peerQpNumber === packet.destQp && pair.qp.service === service) return pair;
    return undefined;
  }

  #completion({ wc, t, cq }: CompletionEvent, index: number): boolean {
    const pair = this.#byNumber.get(wc.qp_num);
    if (pair === undefined) return false;
    const { sender, receiver } = pair;
    if (this.#isSend(pair, wc, cq)) {
      sender.completion(wc, index, t);
      if (sender.failed && sender.state === 'SQE')
        receiver.change((state) => {
          if (state.qpState === 'RTS') state.qpState = 'SQE';
        });
    } else receiver.completion(wc, index, t);
    return true;
  }

  #isSend(
    { sender, qp }: UnreliablePair,
    { opcode, status, wr_id }: CompletionEvent['wc'],
    cq: number,
  ): boolean {
    if (status === 'IBV_WC_SUCCESS' && opcode !== undefined) return isSendOpcode(opcode);
    if (qp.sendCq !== qp.receiveCq) return cq === qp.sendCq;
    return sender.has(wr_id) || !qp.posted.has(wr_id);
  }

  #call(event: CallEvent, index: number): void {
    switch (event.call) {
      case 'create_qp':
        return this.#create(event);
      case 'create_srq':
        return void this.#shared.set(event.srq, { posted: new ReceiveQueue(), users: [] });
      case 'post_srq_recv': {
        const queue = this.#shared.get(event.srq);
        queue?.posted.push(event.wr);
        for (const { receiver } of queue?.users ?? []) receiver.posted();
        return;
      }
      case 'post_recv': {
        const pair = this.#pairs.get(event.qp);
        pair?.qp.posted.push(event.wr);
        return pair?.receiver.posted();
      }
      case 'post_send':
        return this.#pairs.get(event.qp)?.sender.post(event.wr, this.#mtu, index);
      case 'create_ah':
        return void this.#addresses.set(event.ah, addressOf(event.attr.dgid));
      case 'query_port':
        return void (this.#mtu = event.attr.active_mtu);
      case 'modify_qp':
        return this.#modify(event);
      case 'query_qp': {
        const pair = this.#pairs.get(event.qp);
        return pair && judgeUnreliableState(pair, this.#tables, this.#ledger, event, index);
      }
      case 'destroy_qp': {
        const pair = this.#pairs.get(event.qp);
        this.#pairs.delete(event.qp);
        if (pair !== undefined) this.#byNumber.delete(pair.qp.qpNumber);
        return;
      }
      case 'write_memory':
        return this.#memoryChanges(
          ({ sender }) => sender.written(),
          'memory written by software while packets were under way',
        );
      case 'dereg_mr':
        // the region itself is marked after this
        return this.#memoryChanges(
          ({ sender }) => sender.uncertain(),
          'dereg_mr while packets were under way',
        );
      case 'reg_mr':
      case 'create_cq':
      case 'modify_srq':
      case 'query_srq':
      case 'query_device':
        return;
    }
  }

  #memoryChanges(change: (pair: UnreliablePair) => void, why: string): void {
    for (const pair of this.#pairs.values()) {
      if (pair.receiver.unsettled) pair.receiver.loseSight(why);
      change(pair);
    }
  }

  #create(call: Extract<VerbsCall, { call: 'create_qp' }>): void {
    const service = call.qp_type === 'IBV_QPT_UC' ? 'UC' : call.qp_type === 'IBV_QPT_UD' ? 'UD' : undefined;
    const queue = call.srq === undefined ? undefined : this.#shared.get(call.srq);
    if (service === undefined || this.#header.sight.packets !== 'at-device' || !this.#header.sight.verbs) {
      if (service !== undefined) this.#ledger.skip(`QPs of type ${call.qp_type}`);
      for (const { receiver } of queue?.users ?? []) receiver.loseSight('an SRQ with several QPs');
      return;
    }
    const qp: UnreliableQp = {
      name: `qp 0x${call.qp_num.toString(16).padStart(6, '0')}`,
      service,
      qpNumber: call.qp_num,
      pd: call.pd,
      sendCq: call.send_cq,
      receiveCq: call.recv_cq,
      signalsAll: call.sq_sig_all === true,
      access: [],
      pmtu: 0,
      qkey: undefined,
      pkey: 0xffff,
      peerQpNumber: undefined,
      peerAddress: undefined,
      shared: call.srq !== undefined,
      aborts: this.#header.capabilities?.includes('srq-abort') === true,
      posted: queue?.posted ?? new ReceiveQueue(),
      memory: this.#device.memory,
    };
    const skewed = this.#header.clock !== 'virtual';
    const pair: UnreliablePair = {
      qp,
      receiver: new UnreliableReceiver(qp, this.#tables, this.#ledger),
      sender: new UnreliableSender(qp, this.#tables, this.#ledger, skewed),
    };
    pair.receiver.change((state) => void (state.rqTail = qp.posted.length));
    this.#pairs.set(call.qp, pair);
    this.#byNumber.set(call.qp_num, pair);
    if (queue === undefined) return;
    queue.users.push(pair);
    const reliable = this.#device.srqs.get(call.srq as number)?.users ?? [];
    if (queue.users.length + reliable.length < 2) return;
    for (const user of [...queue.users.map(({ receiver }) => receiver), ...reliable])
      user.loseSight('an SRQ with several QPs');
  }

  #modify({ qp: handle, attr }: Extract<CallEvent, { call: 'modify_qp' }>): void {
    const pair = this.#pairs.get(handle);
    if (pair === undefined) return;
    const { qp, receiver, sender } = pair;
    if (receiver.unsettled && changesReception(attr))
      receiver.loseSight('modify_qp while packets were under way');
    if (attr.qp_access_flags !== undefined) qp.access = attr.qp_access_flags;
    if (attr.path_mtu !== undefined) qp.pmtu = attr.path_mtu;
    if (attr.qkey !== undefined) qp.qkey = attr.qkey >>> 0;
    if (attr.dest_qp_num !== undefined) qp.peerQpNumber = attr.dest_qp_num;
    if (attr.ah_attr !== undefined) qp.peerAddress = addressOf(attr.ah_attr.dgid);
    if (attr.alt_ah_attr !== undefined) receiver.loseSight('an alternate path of a UC QP');
    if (attr.sq_psn !== undefined) sender.start(attr.sq_psn);
    const name = attr.qp_state === undefined ? undefined : stateName(attr.qp_state);
    receiver.change((state) => {
      if (attr.rq_psn !== undefined) state.ePsn = attr.rq_psn;
      if (name === undefined) return;
      if (name === 'RESET') forget(qp, state);
      state.qpState = name;
      if (name === 'ERR') state.message = undefined;
    });
    if (name === undefined) return;
    receiver.softwareState = name;
    sender.enter(name);
  }
}

/** Whether the call decides on packets that may be under way. */
function changesReception({ qp_state, qkey, qp_access_flags, ah_attr, rq_psn, path_mtu }: QpAttr): boolean {
  const state = qp_state === 'IBV_QPS_RESET' || qp_state === 'IBV_QPS_ERR' || qp_state === 'IBV_QPS_RTR';
  return state || [qkey, qp_access_flags, ah_attr, rq_psn, path_mtu].some((value) => value !== undefined);
}

/** ibv_modify_qp to RESET: the QP forgets everything, the WQEs of its own receive queue included. */
function forget(qp: UnreliableQp, state: ReceiveState): void {
  const { memory, rqHead } = state;
  const tail = qp.posted.length;
  Object.assign(state, new ReceiveState(), { memory, rqTail: tail, rqHead: qp.shared ? rqHead : tail });
}

function serviceOf(packet: Packet): UnreliableService | undefined {
  const bits = packet.opcode >> 5;
  return bits === 1 ? 'UC' : bits === 3 ? 'UD' : undefined;
}
