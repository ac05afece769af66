import type { Endpoint } from '../../adapters/adapter.ts';
import { guestIpv4, guestIpv6, guestMac } from '../../adapters/agent/machine.ts';
import { handlesOf } from '../driver/setup/handles.ts';
import { attributesFor, pathTo, qkeyOf, type FarEnd } from '../driver/setup/attributes.ts';
import type { End } from '../driver/setup/end.ts';
import { fillBytes } from '../driver/setup/fill.ts';
import { listBehind, type PostStep } from '../driver/work/list.ts';
import { recvWr, sendWr } from '../driver/work/requests.ts';
import type { SendWr } from '../../spec/verbs.ts';
import type { Role, Scenario, Step } from '../scenario.ts';
import { Inexpressible } from './inexpressible.ts';
import type { CObjects } from './objects.ts';

/** A call of the exchange, as the program makes it. */
interface Made {
  /** what the program prints of it */
  seen?: string;
  /** it brings the QP up, before anything happens */
  beginning?: boolean;
  /** it was made before, with the first of its list */
  listed?: boolean;
}

const endpoint = (n: number): Endpoint => ({
  mac: guestMac(n),
  ipv4: guestIpv4(n),
  ipv6: guestIpv6(n),
  gidIndex: { ipv4: 4, ipv6: 6 },
});

/** Steps that are a call of the device under test. */
function callOf(step: Step, dut: Role): string | undefined {
  switch (step.do) {
    case 'post_recv':
      return (step.at ?? 'responder') === dut ? 'ibv_post_recv' : undefined;
    case 'post_send':
      return (step.at ?? 'requester') === dut ? 'ibv_post_send' : undefined;
    case 'modify_qp':
      return step.at === dut ? 'ibv_modify_qp' : undefined;
    case 'dereg_mr':
      return dut === 'responder' ? 'ibv_dereg_mr' : undefined;
    case 'modify_srq':
    case 'query_srq':
    case 'query_port':
    case 'query_qp':
    case 'query_device':
      return `ibv_${step.do}`;
    case 'write_buffer':
      return 'memory';
    case 'reg_mr':
    case 'rereg_mr':
    case 'alloc_mw':
    case 'dealloc_mw':
    case 'req_notify_cq':
    case 'resize_cq':
    case 'destroy':
    case 'link':
    case 'gid':
    case 'query_gid':
    case 'query_pkey':
    case 'inject':
    case 'reinject':
    case 'respond':
    case 'await':
    case 'finish':
    case 'settle':
    case 'sleep':
      return undefined;
  }
}

/** The calls of a scenario at the device under test, in their order. */
export class Calls {
  readonly #scenario: Scenario;
  readonly #end: End;
  readonly #peerQp: number;
  readonly #steps: Step[];
  readonly #rising: ('IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS')[] = [
    'IBV_QPS_INIT',
    'IBV_QPS_RTR',
    'IBV_QPS_RTS',
  ];
  #state = '';
  /** lines that are still to come of a list which was posted */
  #listed = 0;

  constructor(scenario: Scenario, end: End, peerQp: number) {
    this.#scenario = scenario;
    this.#end = end;
    this.#peerQp = peerQp;
    this.#steps = scenario.steps.filter((step) => callOf(step, scenario.dut) !== undefined);
  }

  /**
   * Makes the call that a line of the ladder tells; nothing where that says nothing of the exchange. `following`: the calls behind it, of which
   * the first ones may be of the same list.
   */
  async take(text: string, objects: CObjects, following: readonly string[] = []): Promise<Made | undefined> {
    const [call = ''] = /^ibv_\w+/.exec(text) ?? [];
    const [, errno = '0', , of] =
      / failed, errno (\d+)(?:, (bad_wr \w+ of the list of (\d+)))?$/.exec(text) ?? [];
    const place = of === undefined || of === '1' ? '' : (/, bad_wr .*$/.exec(text)?.[0] ?? '');
    const seen = `call ${call} errno ${errno}${place}`;
    if (this.#listed > 0 && call.startsWith('ibv_post_')) {
      this.#listed = errno === '0' ? this.#listed - 1 : 0;
      return this.#listed === 0 ? { seen, listed: true } : { listed: true };
    }
    if (call === 'ibv_reg_mr' || call.startsWith('ibv_create_')) return undefined;
    const next = call === 'ibv_modify_qp' ? this.#rising.shift() : undefined;
    if (next !== undefined) {
      await objects.modify_qp(0, this.#attributes({ state: next }));
      if (next === 'IBV_QPS_RTS') await this.#resolve(objects);
      return { seen, beginning: true };
    }
    if (call === 'ibv_query_qp') {
      this.#skip(call);
      objects.lines.push('query();');
      return { seen: queried(text) };
    }
    if (call === 'ibv_query_port' || call === 'ibv_query_device' || call === 'ibv_query_srq') {
      this.#skip(call);
      objects.lines.push(`${call.replace('ibv_', '')}();`);
      return {};
    }
    const plain = call === 'ibv_post_srq_recv' ? 'ibv_post_recv' : call;
    const step = await this.#nextStep(plain, objects);
    if (step === undefined || !(await this.#make(step, [text, ...following], objects))) return undefined;
    // each of a list that was taken has a line of its own, and so has the one that was refused
    if (errno !== '0') this.#listed = 0;
    return this.#listed === 0 ? { seen } : {};
  }

  /** The steps that are in one list with this one. */
  #linkedTo<S extends PostStep>(first: S): S[] {
    const { steps } = this.#scenario;
    const rest = listBehind(first, steps.slice(steps.indexOf(first) + 1));
    const { sends, receives, posted } = this.#end;
    const [{ faults }, n] = first.do === 'post_send' ? [sends, posted.send] : [receives, posted.receive];
    if (rest.some((_, i) => faults[n + i] === 'deregistered'))
      throw new Inexpressible('memory of a list of work requests is deregistered');
    this.#steps.splice(0, rest.length);
    this.#listed = rest.length;
    return rest;
  }

  #skip(call: string): void {
    const [step] = this.#steps;
    if (step !== undefined && callOf(step, this.#scenario.dut) === call) this.#steps.shift();
  }

  /** The next step of a call; what overwrites memory before it is done as well. */
  async #nextStep(call: string, objects: CObjects): Promise<Step | undefined> {
    const { dut } = this.#scenario;
    const [first] = this.#steps;
    // the memory of a work request is taken away just before it is posted
    if (call === 'ibv_dereg_mr' && first !== undefined && callOf(first, dut) !== call) {
      await this.#deregister(first, objects);
      return undefined;
    }
    for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) {
      if (callOf(step, dut) === call) return step;
      if (step.do === 'write_buffer') await this.#overwrite(step, objects);
    }
    return undefined;
  }

  async #deregister(step: Step, objects: CObjects): Promise<void> {
    const { sends, receives, posted } = this.#end;
    const [buffers, n] = step.do === 'post_send' ? [sends, posted.send] : [receives, posted.receive];
    const mr = buffers.pieces[n]?.at(-1)?.region.mr;
    if (mr !== undefined) await objects.dereg_mr(mr);
  }

  async #overwrite(step: Extract<Step, { do: 'write_buffer' }>, objects: CObjects): Promise<void> {
    const { role, sends, receives } = this.#end;
    const buffers = role === 'requester' ? sends : receives;
    for (const { region, offset, length } of buffers.pieces[step.wr] ?? [])
      await objects.write_memory(region.mr, offset, fillBytes(step.fill, length));
  }

  /** `texts`: its line, and those of the calls behind it. */
  async #make(step: Step, texts: readonly string[], objects: CObjects): Promise<boolean> {
    const end = this.#end;
    switch (step.do) {
      case 'post_recv': {
        const wr = recvWr(end, end.posted.receive++, step);
        const next = this.#linkedTo(step).map((one) => recvWr(end, end.posted.receive++, one));
        await (end.srq === undefined || step.own === true
          ? objects.post_recv(0, wr, next)
          : objects.post_srq_recv(0, wr, next));
        return true;
      }
      case 'post_send': {
        const aim = { regions: [], qpNum: this.#peerQp, qkey: qkeyOf(this.#far.plan) };
        const made = (one: typeof step): SendWr => aimed(sendWr(end, end.posted.send++, one.wr, aim), texts);
        const wr = made(step);
        await objects.post_send(0, wr, this.#linkedTo(step).map(made));
        return true;
      }
      case 'modify_qp':
        await objects.modify_qp(0, this.#attributes(step));
        this.#state = step.state ?? this.#state;
        return true;
      case 'dereg_mr': {
        const mr = end.regions[step.region]?.mr;
        if (mr !== undefined) await objects.dereg_mr(mr);
        return mr !== undefined;
      }
      case 'modify_srq': {
        const { maxWr, limit } = step;
        await objects.modify_srq(0, {
          ...(maxWr !== undefined && { max_wr: maxWr }),
          ...(limit !== undefined && { srq_limit: limit }),
        });
        return true;
      }
      case 'query_srq':
      case 'query_port':
      case 'query_qp':
      case 'query_device':
      case 'reg_mr':
      case 'rereg_mr':
      case 'alloc_mw':
      case 'dealloc_mw':
      case 'req_notify_cq':
      case 'resize_cq':
      case 'destroy':
      case 'write_buffer':
      case 'link':
      case 'gid':
      case 'query_gid':
      case 'query_pkey':
      case 'inject':
      case 'reinject':
      case 'respond':
      case 'await':
      case 'finish':
      case 'settle':
      case 'sleep':
        return false;
    }
  }

  get #far(): FarEnd {
    const { scenario, peerQp } = { scenario: this.#scenario, peerQp: this.#peerQp };
    return {
      endpoint: endpoint(2),
      qpNum: peerQp,
      plan: scenario[scenario.dut === 'responder' ? 'requester' : 'responder'],
    };
  }

  #attributes(step: Parameters<typeof attributesFor>[0]): ReturnType<typeof attributesFor> {
    const back = step.state === 'IBV_QPS_RTS' && this.#state === 'IBV_QPS_SQD';
    return attributesFor(step, this.#end, this.#scenario, this.#far, endpoint(1), back);
  }

  /** Datagrams need the address of the far end. */
  async #resolve(objects: CObjects): Promise<void> {
    const { service, ip, steps } = this.#scenario;
    if (service !== 'UD') return;
    for (const [key, { way, route = this.#end.plan.route }] of handlesOf(steps)) {
      const attr = pathTo(way, ip, endpoint(2), endpoint(1), route);
      this.#end.handles.set(key, await objects.create_ah({ pd: this.#end.pds[0] ?? 0, attr }));
    }
  }
}

/** A send with the address and the key that its line tells; one without a line was not posted. */
function aimed(wr: SendWr, texts: readonly string[]): SendWr {
  const own = texts.find((text) => text.startsWith('ibv_post_send') && text.includes(` wr_id ${wr.wr_id} `));
  const [, to, rkey] = / to 0x([0-9a-f]+) rkey 0x([0-9a-f]+)/.exec(own ?? '') ?? [];
  return to === undefined || rkey === undefined
    ? wr
    : { ...wr, remote_addr: BigInt(`0x${to}`), rkey: Number.parseInt(rkey, 16) };
}

/** Attributes that the program prints, in its order, as far as the ladder tells them. */
function queried(text: string): string {
  const [, state = ''] = /IBV_QPS_(\w+)/.exec(text) ?? [];
  let told = `query state ${state}`;
  const names = ['path_mtu', 'max_dest_rd_atomic', 'max_rd_atomic', 'min_rnr_timer', 'timeout'];
  for (const name of [...names, 'retry_cnt', 'rnr_retry']) {
    const [, value] = new RegExp(`\\b${name} (\\d+)`).exec(text) ?? [];
    if (value === undefined) break;
    told += ` ${name} ${value}`;
  }
  return told;
}
