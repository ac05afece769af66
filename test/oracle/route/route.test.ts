import { describe, expect, it } from 'vitest';
import type { AhAttr } from '../../../spec/verbs.ts';
import { judgeTrace } from '../../../oracle/index.ts';
import { mtu, peer, type Fields } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { Trace, rules } from '../trace/trace.ts';

const capabilities = ['traffic-class', 'hop-limit', 'flow-label'];
const dgid = '00000000000000000000ffff0a000002';
const asked = { traffic_class: 0xb8, hop_limit: 9 } as const;
const kept: Fields = { trafficClass: 0xb8, hopLimit: 9 };
const plan = { capabilities, judged: /^route\// };

/** An RC QP whose path asks for something. */
function over(more: Partial<AhAttr> = asked, words = capabilities): RcTrace {
  const ah_attr: AhAttr = { dgid, sgid_index: 0, ...more };
  return new RcTrace({ ah_attr }, { ...plan, capabilities: words });
}

const sends = (trace: RcTrace, fields: Fields): string[] =>
  trace
    .posts('IBV_WR_SEND')
    .from('SEND_ONLY', 0, { payload: new Uint8Array(16) }, fields)
    .broken();

describe('packets of a connection', () => {
  it('have the DSCP and the hop limit of its path', () => {
    expect(sends(over(), kept)).toEqual([]);
    expect(sends(over(), { ...kept, trafficClass: 0 })).toEqual(['route-traffic-class']);
    expect(sends(over(), { ...kept, hopLimit: 64 })).toEqual(['route-hop-limit']);
  });

  it('have ECN bits of their own', () => {
    expect(sends(over(), { ...kept, trafficClass: 0xba })).toEqual([]);
  });

  it('have any hop limit where software has named none', () => {
    expect(sends(over({ traffic_class: 0xb8 }), { ...kept, hopLimit: 3 })).toEqual([]);
  });

  it('are held to no more than the device declares', () => {
    expect(sends(over(asked, []), { trafficClass: 0, hopLimit: 64 })).toEqual([]);
    const silent = over();
    delete silent.header.capabilities;
    expect(sends(silent, { trafficClass: 0, hopLimit: 64 })).toEqual([]);
  });

  it('have those of their answers as well', () => {
    const arrived = (fields: Fields): string[] => {
      const trace = over()
        .recv()
        .to('SEND_ONLY', 0, { payload: new Uint8Array(16) });
      return trace.ack(0, 1, undefined, fields).broken();
    };
    expect(arrived(kept)).toEqual([]);
    expect(arrived({ ...kept, trafficClass: 0 })).toEqual(['route-traffic-class']);
  });

  it('may have those of the path before until all is at rest', () => {
    const anew = (settles: boolean): string[] => {
      const trace = over();
      const changed: AhAttr = { dgid, sgid_index: 0, hop_limit: 9, traffic_class: 0x20 };
      trace.modify({ qp_state: 'IBV_QPS_RTR', ah_attr: changed, path_mtu: mtu, dest_qp_num: peer.qp });
      if (settles) trace.settle();
      return sends(trace, kept);
    };
    expect(anew(false)).toEqual([]);
    expect(anew(true)).toEqual(['route-traffic-class']);
  });
});

describe('datagrams', () => {
  /** Two that differ in length, by address handles that differ in their traffic class. */
  function two(first: number, second: number): string[] {
    const trace = new Trace('UD', plan);
    for (const [ah, traffic_class] of [
      [11, 0x20],
      [12, 0x40],
    ] as const)
      trace.call({
        call: 'create_ah',
        pd: 1,
        ah,
        attr: { dgid, sgid_index: 0, hop_limit: 64, traffic_class },
      });
    trace.send({ ah: 11, length: 16 }).send({ ah: 12, length: 8 });
    trace.from('SEND_ONLY', 0, { payload: new Uint8Array(16), trafficClass: first });
    trace.from('SEND_ONLY', 1, { payload: new Uint8Array(8), trafficClass: second });
    return trace.broken();
  }

  it('have the DSCP of their address handle', () => {
    expect(two(0x20, 0x40)).toEqual([]);
    expect(two(0x20, 0x20)).toEqual(['route-traffic-class']);
    expect(two(0x40, 0x40)).toEqual(['route-traffic-class']);
  });
});

it('a flow label is asked of IPv6 alone', () => {
  const trace = over({ ...asked, flow_label: 5 });
  expect(sends(trace, kept)).toEqual([]);
  expect(judgeTrace(trace.header, trace.events, rules).exercised.has('route-flow-label')).toBe(false);
});
