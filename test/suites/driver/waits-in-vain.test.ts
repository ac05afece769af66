import { expect, it } from 'vitest';
import { post, requesterScenario, respond, wrPsn } from '../../../suites/rc-requester/parts.ts';
import type { Step } from '../../../suites/index.ts';
import { drive } from '../drive.ts';
import { profile } from '../profile.ts';

const chosen = { ip: 4, mtu: 256, startPsn: 0, retryCnt: 3, rnrRetry: 0 } as const;
const refused: Step = respond({ kind: 'rnr', timer: 1 }, wrPsn(0));
const await1: Step = { do: 'await', packets: 1, us: 500 };

it('a failure that comes in place of what is awaited is in the trace before what comes next', async () => {
  const wr = { opcode: 'IBV_WR_SEND', length: 8, region: 0, offset: 0, signaled: true } as const;
  const steps = [post(wr), await1, refused, await1, refused, await1];
  const { events } = await drive(requesterScenario(profile, chosen, { steps, timeout: 14 }));
  const kinds = events.flatMap((e) =>
    e.kind === 'completion'
      ? [e.wc.status]
      : e.kind === 'packet' && e.direction === 'to-dut'
        ? ['RNR NAK']
        : [],
  );
  expect(kinds).toEqual(['RNR NAK', 'IBV_WC_RNR_RETRY_EXC_ERR', 'RNR NAK']);
});
