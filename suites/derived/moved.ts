import type { PacketPlan, Scenario, Step } from '../scenario.ts';

/** What a scenario has in front of its own steps: regions, memory windows, work requests of the DUT as requester. */
export interface InFront {
  regions: number;
  windows: number;
  sends: number;
}

/** What the steps of a scenario leave in front of those of the next one. */
export function leftBy({ regions, steps }: Pick<Scenario, 'regions' | 'steps'>): InFront {
  const count = (kind: Step['do']): number => steps.filter((step) => step.do === kind).length;
  return { regions: regions.length, windows: count('alloc_mw'), sends: count('post_send') };
}

function packetBehind(packet: PacketPlan, by: InFront): PacketPlan {
  const { target, invalidate } = packet;
  const window = target?.window;
  return {
    ...packet,
    ...(target !== undefined && {
      target: {
        ...target,
        region: target.region + by.regions,
        ...(window !== undefined && { window: window + by.windows }),
      },
    }),
    ...(typeof invalidate === 'number' && { invalidate: invalidate + by.regions }),
    ...(typeof invalidate === 'object' && { invalidate: { window: invalidate.window + by.windows } }),
  };
}

/** A step that names what is its own, with something in front. */
export function behind(step: Step, by: InFront): Step {
  switch (step.do) {
    case 'inject':
      return { ...step, packet: packetBehind(step.packet, by) };
    case 'post_send': {
      const { bind, ends, region } = step.wr;
      return {
        ...step,
        wr: {
          ...step.wr,
          region: region + by.regions,
          ...(bind !== undefined && { bind: { ...bind, window: bind.window + by.windows } }),
          ...(ends !== undefined && { ends: ends + by.windows }),
        },
      };
    }
    case 'dereg_mr':
    case 'rereg_mr':
      return { ...step, region: step.region + by.regions };
    case 'dealloc_mw':
      return { ...step, window: step.window + by.windows };
    case 'write_buffer':
      return { ...step, wr: step.wr + by.sends };
    case 'post_recv':
    case 'modify_srq':
    case 'query_srq':
    case 'req_notify_cq':
    case 'resize_cq':
    case 'query_port':
    case 'link':
    case 'query_gid':
    case 'query_pkey':
    case 'gid':
    case 'reinject':
    case 'respond':
    case 'await':
    case 'finish':
    case 'settle':
    case 'sleep':
    case 'modify_qp':
    case 'query_qp':
    case 'query_device':
    case 'reg_mr':
    case 'alloc_mw':
    case 'destroy':
      return step;
  }
}
