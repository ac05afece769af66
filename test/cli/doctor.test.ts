import { describe, expect, it } from 'vitest';
import { withPackets } from '../../cli/doctor/examine.ts';
import type { Finding } from '../../cli/doctor/finding.ts';

const device = (state: Finding['state']): Finding => ({
  name: 'verbs:DEVICE',
  state,
  says: 'x',
  remedies: [],
});

describe('a device whose packets are seen', () => {
  it('is ready where there is a device, and the right to raw frames', () => {
    expect(withPackets(device('ready'), true)).toMatchObject({ state: 'ready', remedies: [] });
    const forbidden = withPackets(device('ready'), false);
    expect(forbidden.state).toBe('missing');
    expect(forbidden.remedies).toHaveLength(1);
  });

  it('is missing where the device is, whatever this process may do', () => {
    for (const allowed of [true, false]) {
      const { state, says } = withPackets(device('missing'), allowed);
      expect(state).toBe('missing');
      expect(says).toMatch(/^takes verbs:DEVICE, which is missing/);
    }
  });
});
