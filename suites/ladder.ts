import type { QpAttr } from '../spec/verbs.ts';
import type { TraceEvent, VerbsCall, Violation } from '../oracle/trace.ts';
import type { LadderLine } from '../report/results.ts';
import { describe, frameFault } from '../wire/index.ts';

/** milliseconds; shorter stalls tell a reader nothing */
const shownStall = 100;

/**
 * A trace as lines for a person: what passed between the peer and the DUT, the event that broke the rule marked. Set-up
 * calls that say nothing about the exchange are left out.
 */
export function ladder(events: readonly TraceEvent[], violation: Violation | undefined): LadderLine[] {
  const lines: LadderLine[] = [];
  for (const [index, event] of events.entries()) {
    const guilty = index === violation?.event;
    const line = lineOf(event, guilty);
    if (line === undefined) continue;
    lines.push(guilty ? { ...line, guilty } : line);
  }
  return shortened(lines);
}

/** Longer exchanges are told by their beginning, what surrounds the guilty line, and their end. */
const tellWhole = 80;
const around = 20;

function shortened(lines: LadderLine[]): LadderLine[] {
  if (lines.length <= tellWhole) return lines;
  const guilty = lines.findIndex((line) => line.guilty === true);
  const told = lines.map(
    (_, i) => i < around || i >= lines.length - around || (guilty >= 0 && Math.abs(i - guilty) <= around),
  );
  const kept: LadderLine[] = [];
  let left = 0;
  for (const [i, line] of lines.entries()) {
    if (told[i] !== true) left++;
    else {
      if (left > 0) kept.push({ t: line.t, kind: 'note', text: `${left} lines left out` });
      left = 0;
      kept.push(line);
    }
  }
  return kept;
}

function lineOf(event: TraceEvent, guilty: boolean): LadderLine | undefined {
  const { t } = event;
  switch (event.kind) {
    case 'packet': {
      const frame = Buffer.from(event.packet.frame).toString('hex');
      const kind = event.direction === 'from-dut' ? 'from-dut' : 'to-dut';
      return { t, kind, text: describe(event.packet), frame };
    }
    case 'frame': {
      const kind = event.direction;
      const text = `no packet: ${frameFault(event.frame) ?? 'sound'}, ${event.frame.length} bytes`;
      return { t, kind, text, frame: Buffer.from(event.frame).toString('hex') };
    }
    case 'call': {
      const text = callText(event);
      return text === undefined && !guilty ? undefined : { t, kind: 'verbs', text: text ?? event.call };
    }
    case 'call-failed':
      return {
        t,
        kind: 'verbs',
        text: `${failedText(event)} failed, errno ${event.errno}`,
      };
    case 'completion': {
      const { wr_id, status, opcode, byte_len } = event.wc;
      const detail = status === 'IBV_WC_SUCCESS' ? ` ${opcode ?? ''} ${byte_len ?? 0} bytes` : '';
      return { t, kind: 'completion', text: `completion wr_id ${wr_id} ${status}${detail}` };
    }
    case 'async':
      return { t, kind: 'event', text: event.event.event_type };
    case 'link':
      return { t, kind: 'event', text: `link of the port ${event.up ? 'up' : 'down'}` };
    case 'memory':
      return guilty ? { t, kind: 'note', text: `memory of MR ${event.mr} read back` } : undefined;
    case 'settled':
      return guilty ? { t, kind: 'note', text: 'all answers due have been waited for' } : undefined;
    case 'rate': {
      const { cause, rate, target, alpha } = event.record;
      const gigabits = (bits: number): string => `${Number((bits / 1e9).toPrecision(4))} Gb/s`;
      const text = `rate ${gigabits(rate)} after ${cause}, target ${gigabits(target)}, alpha ${Number(alpha.toPrecision(4))}`;
      return { t, kind: 'note', text };
    }
    case 'hop':
      return event.fate === 'forwarded' && event.ecnIn === event.ecnOut && !guilty
        ? undefined
        : {
            t,
            kind: 'note',
            text: `switch: ${event.fate}, ECN ${event.ecnIn} -> ${event.ecnOut}, ${event.queued} bytes in front`,
          };
    case 'stall': {
      const ms = Math.round((event.until - t) / 1e6);
      const text = `the device or its host may have stood still for ${ms} ms`;
      return ms < shownStall ? undefined : { t, kind: 'note', text };
    }
    case 'gone':
      return { t, kind: 'event', text: `the device is gone: ${event.reason}` };
    case 'gap':
      return { t, kind: 'note', text: `lost sight: ${event.reason}` };
  }
}

function callText(call: VerbsCall): string | undefined {
  switch (call.call) {
    case 'post_recv':
    case 'post_srq_recv':
      return `ibv_${call.call} wr_id ${call.wr.wr_id}, ${call.wr.sg_list.reduce((n, s) => n + s.length, 0)} bytes`;
    case 'post_send':
      return `ibv_post_send wr_id ${call.wr.wr_id} ${call.wr.opcode}`;
    case 'modify_qp':
      return `ibv_modify_qp ${call.attr.qp_state ?? valuesText(call.attr)}`;
    case 'query_qp':
      return `ibv_query_qp ${call.attr.qp_state ?? ''}`;
    case 'dereg_mr':
      return `ibv_dereg_mr MR ${call.mr}`;
    case 'query_device':
      return `ibv_query_device, local_ca_ack_delay ${call.attr.local_ca_ack_delay}`;
    case 'reg_mr':
      return `ibv_reg_mr MR ${call.mr}, ${call.length} bytes, rkey 0x${call.rkey.toString(16)}, ${accessText(call.access)}`;
    case 'modify_srq':
      return `ibv_modify_srq ${plainText(call.attr)}`;
    case 'query_srq':
      return `ibv_query_srq ${plainText(call.attr)}`;
    case 'query_port':
      return `ibv_query_port ${call.attr.state}`;
    case 'create_ah':
      return `ibv_create_ah AH ${call.ah} to ${call.attr.dgid}`;
    case 'write_memory':
    case 'create_cq':
    case 'create_srq':
    case 'create_qp':
    case 'destroy_qp':
      return undefined;
  }
}

function failedText({ call, attempted }: Extract<TraceEvent, { kind: 'call-failed' }>): string {
  return (attempted && callText(attempted)) ?? `ibv_${call.replace(/^ibv_/, '')}`;
}

/** Attributes of a call that names no state, with their values where these are short. */
function valuesText(attr: QpAttr): string {
  return Object.entries(attr)
    .map(([key, value]) => (typeof value === 'object' ? key : `${key} ${value}`))
    .join(', ');
}

function plainText(attr: object): string {
  return Object.entries(attr)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function accessText(access: readonly string[]): string {
  return access.map((flag) => flag.replace('IBV_ACCESS_', '')).join('|');
}
