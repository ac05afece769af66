import { PathSwitch } from '../../../adapters/switch/index.ts';
import type { TraceHeader } from '../../../oracle/trace.ts';
import type { Scenario } from '../../scenario.ts';
import type { Recorder } from '../recorder.ts';
import type { SharedBench } from '../shared-bench.ts';

/** The switch that a scenario's path leads through; its time begins now. */
export function switchOnPath(
  { bench }: SharedBench,
  { path, peer }: Scenario,
  recorder: Recorder,
  deliver: (frame: Uint8Array) => void,
): PathSwitch | undefined {
  const { clock, switchFault } = bench;
  if (path === undefined || peer === 'same-device') return undefined;
  return new PathSwitch({
    clock,
    plan: path,
    ...(switchFault !== undefined && { fault: switchFault }),
    deliver,
    hop: (hop) => {
      recorder.push({ kind: 'hop', t: recorder.stamp(), ...hop });
    },
  });
}

/** What the head of a trace says beyond what holds for all scenarios of a bench. */
export function headerFor(header: TraceHeader, { path, peer }: Scenario): TraceHeader {
  if (peer === 'same-device') return { ...header, sight: { packets: 'none', verbs: true } };
  return path === undefined ? header : { ...header, path };
}
