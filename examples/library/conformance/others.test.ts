import { properties } from 'rdma-conform/suites';
import { describeConformance } from 'rdma-conform/vitest';
import { device } from '../device.ts';

// vitest spreads files over machines, so the suites that take longest have files of their own.
const elsewhere = ['rc-responder', 'rc-requester'];
const suites = [...new Set(properties.map(({ suite }) => suite))].filter(
  (suite) => !elsewhere.includes(suite),
);

describeConformance(device, { suites, runs: 1 });
