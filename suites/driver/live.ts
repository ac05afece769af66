import type { Scenario } from '../scenario.ts';

/** True where the far end of the DUT is a reference NIC that posts or answers by itself, not a list of crafted packets. */
export function isLive(scenario: Scenario): boolean {
  if (scenario.dut === 'requester') return scenario.peer !== 'scripted';
  return scenario.steps.some((step) => step.do === 'post_send');
}
