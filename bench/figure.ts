import { defaultConfig, type MutantId, type ReferenceConfig } from '../adapters/reference/index.ts';
import { Fabric, type Host } from '../adapters/switch/fabric.ts';
import { Flow } from '../adapters/switch/flow.ts';
import type { Link } from '../adapters/switch/link.ts';
import type { CongestionProfile, DcqcnParameters, SwitchPlan } from '../spec/congestion.ts';
import { decode } from '../wire/index.ts';

/** A device with a reaction point. */
export type ReactionProfile = CongestionProfile & { dcqcn: DcqcnParameters };

/** A flow of the experiment; `offered`: share of the line rate, 1 as much as it can. */
export interface FlowPlan {
  from: string;
  to: string;
  offered: number;
  /** virtual milliseconds after which it begins; absent: at once */
  joins?: number;
  /** share of the line rate to which the first CNP sets its QP; absent: the first CNP cuts like any other */
  firstRate?: number;
}

export interface Experiment {
  /** names of the hosts at each switch of a row */
  hosts: readonly (readonly string[])[];
  flows: readonly FlowPlan[];
  /** congestion control, or flow control alone */
  control: boolean;
  parameters: ReactionProfile;
  /** virtual milliseconds before the measurement, and during it */
  warmUp: number;
  measured: number;
  /** queue of this host's port is watched */
  watched: string;
  /** marking curve of the switches; absent: that of the paper */
  marking?: Pick<SwitchPlan['marking'], 'low' | 'high' | 'most'>;
  /** into how many spans of equal length the measurement is divided; absent: 1 */
  spans?: number;
  /** fault of all NICs */
  mutant?: MutantId;
}

export interface Outcome {
  /** share of the line rate that arrived, headers included, in the order of the flows */
  throughput: number[];
  /** the same for each span of the measurement */
  spans: number[][];
  lineRate: number;
  /** share of the time that links between switches were paused, and pauses of them, during the measurement */
  pausedShare: number;
  pauses: number;
  /** mean and largest bytes in front of the watched port */
  queueMean: number;
  queueMost: number;
  cnps: number;
}

/** nanoseconds between two looks at completions and queues */
const tick = 5000;
const message = 32_768;
const depth = 8;
const mtu = 4096;
/** thresholds of the paper */
const paperMarking = { low: 5000, high: 200_000, most: 0.01 };

/** Runs flows through a row of switches with PAUSE and ECN marking, on reference NICs in virtual time. */
export async function run(experiment: Experiment): Promise<Outcome> {
  const { control, parameters, watched } = experiment;
  const { lineRate, cnp, dcqcn } = parameters;
  const congestion: ReferenceConfig['congestion'] = {
    ...defaultConfig.congestion,
    lineRate,
    cnp,
    dcqcn,
    cut: 'at-once',
    increase: 'two-counts',
  };
  const fabric = new Fabric({
    rate: lineRate,
    delay: 1000,
    switches: {
      marking: { ...(experiment.marking ?? paperMarking), seed: 1 },
      flowControl: { high: 100_000, low: 80_000 },
    },
    nic: (host) => {
      const share = experiment.flows.find(({ from }) => from === host)?.firstRate;
      const first = share !== undefined && { firstRate: share * lineRate };
      return {
        config: { rcm: control, window: 64, congestion: { ...congestion, dcqcn: { ...dcqcn, ...first } } },
        ...(experiment.mutant !== undefined && { mutant: experiment.mutant }),
      };
    },
    hosts: experiment.hosts,
  });
  const flows: Flow[] = [];
  for (const { from, to, offered, joins = 0 } of experiment.flows)
    flows.push(
      await Flow.open({
        clock: fabric.clock,
        from: fabric.host(from),
        to: fabric.host(to),
        ...(offered < 1 && { offered: offered * lineRate }),
        begin: joins * 1e6,
        message,
        depth,
        mtu,
      }),
    );
  const received = new Map<string, number>();
  let cnps = 0;
  fabric.arrived = ({ name }: Host, frame) => {
    const decoded = decode(frame);
    if (decoded.kind !== 'packet') return;
    const { packet } = decoded;
    if (packet.info?.kind === 'cnp') cnps++;
    if (packet.info?.kind !== 'request') return;
    const key = `${name} ${packet.destQp}`;
    received.set(key, (received.get(key) ?? 0) + frame.length);
  };
  const between: readonly Link[] = [...fabric.left, ...fabric.right];
  const port = fabric.host(watched).down;
  const advance = async (ms: number, look: () => void): Promise<void> => {
    for (let t = 0; t < ms * 1e6; t += tick) {
      for (const flow of flows) await flow.pump();
      fabric.clock.advance(tick);
      look();
    }
  };
  await advance(experiment.warmUp, () => undefined);
  received.clear();
  cnps = 0;
  const before = { paused: sum(between, 'pausedTime'), pauses: sum(between, 'pauses') };
  let looks = 0;
  let queued = 0;
  let queueMost = 0;
  const { spans: count = 1 } = experiment;
  const share = (bytes: number, ms: number): number => (bytes * 8e3) / ms / lineRate;
  const arrivedSoFar = (): number[] =>
    experiment.flows.map(({ to }, i) => received.get(`${to} ${flows[i]?.destQp}`) ?? 0);
  const spans: number[][] = [];
  for (let span = 0; span < count; span++) {
    const already = arrivedSoFar();
    await advance(experiment.measured / count, () => {
      looks++;
      queued += port.queued;
      queueMost = Math.max(queueMost, port.queued);
    });
    spans.push(
      arrivedSoFar().map((bytes, i) => share(bytes - (already[i] ?? 0), experiment.measured / count)),
    );
  }
  return {
    throughput: arrivedSoFar().map((bytes) => share(bytes, experiment.measured)),
    spans,
    lineRate,
    pausedShare: (sum(between, 'pausedTime') - before.paused) / (experiment.measured * 1e6),
    pauses: sum(between, 'pauses') - before.pauses,
    queueMean: queued / looks,
    queueMost,
    cnps,
  };
}

function sum(links: readonly Link[], what: 'pausedTime' | 'pauses'): number {
  return links.reduce((all, link) => all + link[what], 0);
}

/** The document's figure: A to E and F send to G, and X to Y meets F on the link between the switches only. */
export const figure: Pick<Experiment, 'hosts' | 'flows' | 'watched'> = {
  hosts: [
    ['A', 'B', 'C', 'D', 'E', 'G', 'Y'],
    ['F', 'X'],
  ],
  flows: [
    ...['A', 'B', 'C', 'D', 'E'].map((from) => ({ from, to: 'G', offered: 1 })),
    { from: 'F', to: 'G', offered: 0.2 },
    { from: 'X', to: 'Y', offered: 0.8 },
  ],
  watched: 'G',
};

/** Jain's index of fairness: 1 where all shares are equal, 1/n where one has it all. */
export function fairness(shares: readonly number[]): number {
  const total = shares.reduce((a, b) => a + b, 0);
  const squares = shares.reduce((a, b) => a + b * b, 0);
  return squares === 0 ? 1 : total ** 2 / (shares.length * squares);
}
