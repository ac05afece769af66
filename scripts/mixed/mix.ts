import { Draw } from '../../suites/corpus/random.ts';
import type { PacketDefect, Scenario, Step } from '../../suites/scenario.ts';

type Ecn = 0 | 1 | 2 | 3;

const states = ['IBV_QPS_SQD', 'IBV_QPS_RTS', 'IBV_QPS_ERR', 'IBV_QPS_RESET'] as const;
const services = ['RC', 'UC', 'UD', 'RD', 'XRC'] as const;
const idle = ['resv6', 'resv7', 'fecn', 'becn', 'traffic-class', 'hop-limit', 'src-port', 'mig-req'] as const;
const ecns: readonly Ecn[] = [0, 1, 2, 3];

/** What two scenarios must have in common so that steps of one make sense in the other. */
export function kindOf({ dut, service, ooo, peer }: Scenario): string {
  return [dut, service ?? 'RC', ooo === true ? 'out of order' : 'in order', peer ?? 'reference'].join(' ');
}

/**
 * The scenario with up to three changes: steps of another one in it, packets that are spoiled, doubled or marked, steps left out or
 * exchanged, calls and waits between them, other retry parameters. It need not be a scenario that the driver takes.
 */
export function mixed(one: Scenario, other: Scenario, draw: Draw): Scenario {
  let scenario = one;
  for (let changes = 1 + draw.below(3); changes > 0; changes--) scenario = changed(scenario, other, draw);
  return scenario;
}

function changed(scenario: Scenario, other: Scenario, draw: Draw): Scenario {
  const { steps } = scenario;
  const at = draw.below(steps.length + 1);
  const within = (...put: Step[]): Scenario => ({ ...scenario, steps: steps.toSpliced(at, 0, ...put) });
  switch (draw.below(9)) {
    case 0:
    case 1:
    case 2: {
      const from = draw.below(other.steps.length);
      return within(...other.steps.slice(from, from + 1 + draw.below(4)));
    }
    case 3: {
      const step = steps.slice(at).find(carries);
      if (step === undefined) return scenario;
      return {
        ...scenario,
        steps: steps.with(steps.indexOf(step, at), altered(step, { defect: defectOf(draw) })),
      };
    }
    case 4: {
      const step = draw.of(steps.filter(carries));
      if (step === undefined) return scenario;
      return within(
        altered(step, draw.below(2) === 0 ? { defect: defectOf(draw) } : { ecn: draw.of(ecns) ?? 0 }),
      );
    }
    case 5:
      return { ...scenario, steps: steps.filter((_, i) => i !== at) };
    case 6: {
      const [first, second] = [steps[at - 1], steps[at]];
      if (first === undefined || second === undefined) return scenario;
      return { ...scenario, steps: steps.toSpliced(at - 1, 2, second, first) };
    }
    case 7:
      return within(between(scenario, draw));
    default:
      return withParameters(scenario, draw);
  }
}

type Carrying = Extract<Step, { do: 'inject' | 'respond' }>;

function carries(step: Step): step is Carrying {
  return step.do === 'inject' || step.do === 'respond';
}

function altered(step: Carrying, change: { defect: PacketDefect } | { ecn: Ecn }): Step {
  if (step.do === 'inject') return { ...step, packet: { ...step.packet, ...change } };
  return { ...step, packet: { ...step.packet, ...change } };
}

function defectOf(draw: Draw): PacketDefect {
  switch (draw.below(8)) {
    case 0:
      return { kind: 'icrc' };
    case 1:
      return { kind: 'tver', value: 1 + draw.below(15) };
    case 2:
      return { kind: 'pkey', value: draw.of([0x1234, 0x7fff, 0xffff]) ?? 0 };
    case 3:
      return { kind: 'dest-qp' };
    case 4:
      return { kind: 'source-ip' };
    case 5:
      return { kind: 'service', service: draw.of(services) ?? 'UC' };
    case 6:
      return { kind: 'short' };
    default:
      return { kind: 'ignored', field: draw.of(idle) ?? 'fecn' };
  }
}

function between({ dut }: Scenario, draw: Draw): Step {
  switch (draw.below(6)) {
    case 0:
      return { do: 'settle' };
    case 1:
      return { do: 'sleep', us: 10 ** draw.below(6) };
    case 2:
      return { do: 'reinject', back: draw.below(4) };
    case 3:
      return { do: 'query_qp' };
    case 4: {
      const state = draw.of(states) ?? 'IBV_QPS_ERR';
      return { do: 'modify_qp', at: dut, state, ...(draw.below(2) === 1 && { midway: true }) };
    }
    default:
      return { do: 'link', up: draw.below(2) === 1, midway: true };
  }
}

function withParameters(scenario: Scenario, draw: Draw): Scenario {
  const { dut } = scenario;
  const plan = { ...scenario[dut] };
  switch (draw.below(4)) {
    case 0:
      plan.retryCnt = draw.below(8);
      break;
    case 1:
      plan.rnrRetry = draw.below(8);
      break;
    case 2:
      plan.timeout = draw.of([0, 8, 12, 14]) ?? 14;
      break;
    default:
      plan.minRnrTimer = draw.below(32);
  }
  return { ...scenario, [dut]: plan };
}
