import type { PacketPlan, Step } from '../scenario.ts';

/** A sound packet at the expected PSN that asks for an acknowledgement, without payload by default. */
export function packet(operation: string | number, more: Partial<PacketPlan> = {}): PacketPlan {
  return {
    operation,
    psn: { from: 'next', offset: 0 },
    ackReq: true,
    payload: { mtus: 0, bytes: 0 },
    ...more,
  };
}

export function inject(plan: PacketPlan): Step {
  return { do: 'inject', packet: plan };
}

export function recv(length: number): Extract<Step, { do: 'post_recv' }> {
  return { do: 'post_recv', length };
}

export const settle: Step = { do: 'settle' };

/** `n` receive WQEs of one length. */
export function recvs(n: number, length: number): Step[] {
  return Array.from({ length: n }, () => recv(length));
}

/** The same packet at another PSN, relative to the expected one. */
export function at(plan: PacketPlan, offset: number): PacketPlan {
  return { ...plan, psn: { from: 'next', offset } };
}
