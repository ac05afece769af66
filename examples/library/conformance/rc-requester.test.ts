import { describeConformance } from 'rdma-conform/vitest';
import { device } from '../device.ts';

describeConformance(device, { suites: ['rc-requester'], runs: 2 });
