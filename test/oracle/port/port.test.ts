import { describe, expect, it } from 'vitest';
import { bytes } from '../trace/packets.ts';
import type { Plan } from '../trace/setup.ts';
import { Trace } from '../trace/trace.ts';
import { VerbsTrace, type Setup } from '../verbs/trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);

describe('the port', () => {
  const link = (trace: VerbsTrace, up: boolean): VerbsTrace =>
    trace.add({ kind: 'link', t: ++trace.t, start: trace.t, up });
  const attr = { state: 'IBV_PORT_ACTIVE', max_msg_sz: 2 ** 31, active_mtu: 1024 } as const;

  it('tells when its link goes and comes', () => {
    const down = (): VerbsTrace => link(traced(), false);
    const told = (): VerbsTrace => down().event('IBV_EVENT_PORT_ERR', { port_num: 1 }).settle();
    expect(down().settle().broken()).toEqual(['port-error-raised']);
    expect(told().broken()).toEqual([]);
    expect(link(told(), true).settle().broken()).toEqual(['port-active-raised']);
    expect(traced().event('IBV_EVENT_PORT_ERR', { port_num: 1 }).settle().broken()).toEqual([
      'port-event-undue',
    ]);
    expect(told().state('IBV_QPS_ERR').broken()).toEqual(['state-after-port-error']);
    expect(told().call({ call: 'query_port', attr }).broken()).toEqual(['port-state-inactive']);
    const device = { max_qp: 1, max_qp_rd_atom: 1, max_qp_init_rd_atom: 1, local_ca_ack_delay: 0 };
    const flagged = (port_active_event: boolean): string[] =>
      told()
        .call({ call: 'query_device', attr: { ...device, port_active_event } })
        .broken();
    expect(flagged(true)).toEqual([]);
    expect(flagged(false)).toEqual(['port-events-flagged']);
  });

  it.each([
    ['IBV_EVENT_LID_CHANGE', 'lid-change-undue'],
    ['IBV_EVENT_SM_CHANGE', 'sm-change-undue'],
    ['IBV_EVENT_CLIENT_REREGISTER', 'reregistration-undue'],
    ['IBV_EVENT_PKEY_CHANGE', 'pkey-change-undue'],
  ] as const)('raises no %s', (type, rule) => {
    const raised = (setup: Setup = {}): string[] =>
      traced(setup).event(type, { port_num: 1 }).settle().broken();
    expect(raised()).toEqual([rule]);
    // on a real host, software may write P_Keys
    const header = { sight: { packets: 'at-device', verbs: true }, clock: 'recorded' } as const;
    expect(raised({ header })).toEqual(rule === 'pkey-change-undue' ? [] : [rule]);
    expect(traced().settle().judge().exercised.get(rule)).toBe(1);
  });

  it('sends nothing without a link', () => {
    const leaves = (trace: Trace): string[] => trace.from('SEND_ONLY', 0, { payload: bytes(16, 0) }).broken();
    const port = (plan: Plan = {}): Trace =>
      new Trace('UC', { judged: /^port\/port-sends/, capabilities: ['uc', 'port-events'], ...plan });
    expect(leaves(port().link(false))).toEqual(['port-sends-linked']);
    expect(leaves(port().link(false).link(true))).toEqual([]);
    expect(leaves(port())).toEqual([]);
    expect(leaves(port({ header: { clock: 'real' } }).link(false))).toEqual([]);
    expect(leaves(port({ header: { timing: { responseTime: 1000, jitter: 10 } } }).link(false))).toEqual([]);
    expect(port().link(false).settle().judge().exercised.get('port-sends-linked')).toBe(1);
  });

  it('is active, and says how long a message may be', () => {
    const asked = (more: object): string[] =>
      traced()
        .call({ call: 'query_port', attr: { ...attr, ...more } })
        .broken();
    expect(asked({})).toEqual([]);
    expect(asked({ state: 'IBV_PORT_DOWN' })).toEqual(['port-state-active']);
    expect(asked({ max_msg_sz: 0 })).toEqual(['port-max-message']);
  });
});
