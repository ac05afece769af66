import { describe, expect, it } from 'vitest';
import { VerbsTrace } from '../verbs/trace.ts';

/** A port whose table has so many entries, as far as the trace tells. */
function port(entries?: number): VerbsTrace {
  const trace = new VerbsTrace({ capabilities: ['pkey-entries'] });
  if (entries === undefined) return trace;
  const attr = { state: 'IBV_PORT_ACTIVE', max_msg_sz: 2 ** 31, active_mtu: 4096 } as const;
  return trace.call({ call: 'query_port', attr: { ...attr, pkey_tbl_len: entries } });
}

const holding = (trace: VerbsTrace, index: number, pkey: number): string[] =>
  trace.call({ call: 'query_pkey', index, pkey }).broken();
const refusing = (trace: VerbsTrace, index: number): string[] =>
  trace.call({ call: 'query_pkey', index, pkey: 0 }, 22).broken();

describe('the P_Key table', () => {
  it('has the default P_Key of a full member in front', () => {
    expect(holding(port(), 0, 0xffff)).toEqual([]);
    expect(holding(port(1), 0, 0xffff)).toEqual([]);
    expect(holding(port(1), 0, 0x7fff)).toEqual(['pkey-default']);
    expect(refusing(port(), 0)).toEqual(['pkey-default']);
  });

  it('is as long as ibv_query_port says, and has one entry at least', () => {
    expect(holding(port(128), 127, 0)).toEqual([]);
    expect(refusing(port(128), 127)).toEqual(['pkey-entry']);
    expect(refusing(port(128), 128)).toEqual([]);
    expect(holding(port(128), 128, 0xffff)).toEqual(['pkey-beyond']);
    expect(port(0).broken()).toEqual(['port-pkey-table']);
  });

  it('may be of any length where nobody says it', () => {
    expect(holding(port(), 1, 0)).toEqual([]);
    expect(refusing(port(), 1)).toEqual([]);
  });
});
