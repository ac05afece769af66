import {
  amount,
  flag,
  integer,
  list,
  numberOf,
  object,
  oneOf,
  text,
  type Check,
} from '../../adapters/agent/check.ts';
import { congestion, outOfOrder } from '../../adapters/agent/profile.ts';
import type { TraceHeader } from '../../oracle/trace.ts';

/** Version of the format of trace files. */
export const traceVersion = 1;

const path = object(
  {
    rate: amount,
    buffer: amount,
    marking: object({ low: amount, high: amount, most: amount, seed: amount }),
    lossless: flag,
  },
  {
    cross: list(object({ rate: amount, bytes: amount, from: amount, until: amount, ecn: numberOf(0, 1, 2) })),
  },
);

/** What a recorder could see, and what the device declares: `TraceHeader` of the oracle. */
export const header = object(
  {
    sight: object({ packets: oneOf('at-device', 'mid-path', 'none'), verbs: flag }),
    clock: oneOf('virtual', 'real', 'recorded'),
  },
  {
    capabilities: list(text),
    dut: object({ addresses: list(text) }),
    complete: object({ addresses: list(text) }, { timeout: integer }),
    vendorOpcodes: oneOf('ooo'),
    limits: object({ maxDestRdAtomic: integer }, { minTimeout: integer, maxMessageBytes: integer }),
    congestion,
    path,
    outOfOrder,
    timing: object({ responseTime: amount, jitter: amount }),
  },
) satisfies Check<TraceHeader>;
