import type { Scenario } from '../../scenario.ts';

/** True where the far end of the DUT is a QP that posts or answers by itself, not a list of crafted packets. */
export function isLive(scenario: Scenario): boolean {
  if (scenario.peer !== undefined) return scenario.peer === 'same-device';
  if (scenario.dut === 'requester') return true;
  return scenario.steps.some((step) => step.do === 'post_send' && (step.at ?? 'requester') === 'requester');
}
