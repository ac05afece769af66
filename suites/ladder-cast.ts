import { addressOfGid, isGid } from '../wire/gid.ts';
import type { Packet } from '../wire/index.ts';
import type { QpAttr } from '../spec/verbs.ts';
import type { TraceEvent } from '../oracle/trace.ts';

interface KnownQp {
  readonly name: string;
  readonly number: number;
  /** what software has set so far */
  attr: QpAttr;
}

interface KnownRegion {
  readonly mr: number;
  readonly addr: bigint;
  readonly length: number;
  readonly pd: number;
  /** the device may write there */
  readonly writable: boolean;
  gone: boolean;
}

/** What uses a scatter or gather list. */
export interface ListUse {
  /** handle of the QP or SRQ that it is posted to */
  qp?: number;
  srq?: number;
  /** the device is to write there */
  writes: boolean;
}

/** QPs and memory regions that take part in an exchange, by what a reader calls them. */
export class Cast {
  readonly #qps = new Map<number, KnownQp>();
  readonly #regions = new Map<number, KnownRegion>();
  readonly #domains = { qp: new Map<number, number>(), srq: new Map<number, number>() };

  take(event: TraceEvent): void {
    if (event.kind !== 'call') return;
    if (event.call === 'create_srq') this.#domains.srq.set(event.srq, event.pd);
    if (event.call === 'create_qp') {
      this.#domains.qp.set(event.qp, event.pd);
      const name = `QP ${String.fromCodePoint(65 + (this.#qps.size % 26))}`;
      this.#qps.set(event.qp, { name, number: event.qp_num, attr: {} });
    } else if (event.call === 'modify_qp') {
      const qp = this.#qps.get(event.qp);
      if (qp !== undefined) qp.attr = { ...qp.attr, ...event.attr };
    } else if (event.call === 'reg_mr') {
      const { mr, addr, length, pd, access } = event;
      const writable = access.includes('IBV_ACCESS_LOCAL_WRITE');
      this.#regions.set(event.lkey, { mr, addr, length, pd, writable, gone: false });
    } else if (event.call === 'dereg_mr') {
      for (const region of this.#regions.values()) if (region.mr === event.mr) region.gone = true;
    }
  }

  /** " QP B" where there are several; nothing where there is one. */
  #told(qp: KnownQp | undefined): string {
    return qp === undefined || this.#qps.size < 2 ? '' : ` ${qp.name}`;
  }

  handled(handle: number | undefined): string {
    return handle === undefined ? '' : this.#told(this.#qps.get(handle));
  }

  numbered(number: number | undefined): string {
    return this.#told([...this.#qps.values()].find((qp) => qp.number === number));
  }

  /** The QP that is connected to this one of the peer. */
  talkingTo(peer: number): string {
    return this.#told(this.connectedTo(peer));
  }

  /** Number of the QP that this one is connected to. */
  peerOf(handle: number): number | undefined {
    return this.#qps.get(handle)?.attr.dest_qp_num;
  }

  /** Number of the QP that the QP with this number is connected to. */
  peerOfNumber(number: number): number | undefined {
    return [...this.#qps.values()].find((qp) => qp.number === number)?.attr.dest_qp_num;
  }

  connectedTo(peer: number): KnownQp | undefined {
    return [...this.#qps.values()].find(({ attr }) => attr.dest_qp_num === peer);
  }

  /** " from 10.0.0.77", or " to ...", where that is not the far end of the path that software gave the QP. */
  otherAddress({ srcIp, dstIp, destQp }: Packet, direction: 'to-dut' | 'from-dut'): string {
    const qp =
      direction === 'from-dut'
        ? this.connectedTo(destQp)
        : [...this.#qps.values()].find(({ number }) => number === destQp);
    const gid = qp?.attr.ah_attr?.dgid;
    if (gid === undefined || !isGid(gid)) return '';
    const [word, address] = direction === 'from-dut' ? ['to', dstIp] : ['from', srcIp];
    return address === addressOfGid(gid) ? '' : ` ${word} ${address}`;
  }

  /** What is wrong with an element of a scatter or gather list, as far as the calls tell; nothing where it is sound. */
  fault({ addr, length, lkey }: { addr: bigint; length: number; lkey: number }, use: ListUse): string {
    const region = this.#regions.get(lkey);
    if (length === 0) return '';
    if (region === undefined) return `, lkey 0x${lkey.toString(16)} of no region`;
    if (region.gone) return `, lkey of MR ${region.mr}, deregistered`;
    const domain = this.#domainOf(use);
    if (domain !== undefined && domain !== region.pd) return `, lkey of MR ${region.mr}, in another PD`;
    if (use.writes && !region.writable) return `, lkey of MR ${region.mr}, which may not be written to`;
    const inside = addr >= region.addr && addr + BigInt(length) <= region.addr + BigInt(region.length);
    return inside ? '' : `, reaches beyond MR ${region.mr}`;
  }

  #domainOf({ qp, srq }: ListUse): number | undefined {
    return qp === undefined ? this.#domains.srq.get(srq ?? -1) : this.#domains.qp.get(qp);
  }
}
