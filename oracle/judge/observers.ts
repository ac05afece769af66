import { QpAttributeJudge } from '../attributes/judge.ts';
import type { CaptureFindings } from '../capture/findings.ts';
import { CongestionJudge } from '../congestion/judge.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import type { PortQueue } from '../device/port-queue.ts';
import { Stalls } from '../device/stalls.ts';
import { Survival } from '../device/survival.ts';
import { EndToEndJudge } from '../end-to-end/judge.ts';
import { OutOfOrderQps } from '../ooo/qps.ts';
import { CapturedConnections } from '../reliable/captured.ts';
import { ReliableQps } from '../reliable/qps.ts';
import { RouteJudge } from '../route/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { TraceHeader } from '../trace.ts';
import { UnreliableQps } from '../unreliable/qps.ts';
import { UserContextJudge } from '../user-context/judge.ts';
import { VerbsJudge } from '../verbs/judge.ts';
import type { JudgeRules } from './rules.ts';

/** What a judge looks at of a capture that several judge together: some of its connections, or what does not belong to one alone. */
export type Share = 'connections' | 'others';

/**
 * Who looks at the events of a trace, in this order: those that look at everything, and behind them those that judge QPs, one for
 * each kind. Who they are depends on what the trace shows: a device with its packets, without them, or the packets of a capture.
 */
export function observersOf(
  header: TraceHeader,
  rules: JudgeRules,
  ledger: Ledger,
  objects: Objects,
  port: PortQueue,
  findings: CaptureFindings,
  share?: Share,
): readonly Observer[] {
  if (share === 'connections')
    return [new CapturedConnections(header, rules.reliable, { ledger, findings, objects, share: true })];
  const stalls = new Stalls(port);
  const reliable = new ReliableQps(header, rules.reliable, ledger, objects, stalls);
  const outOfOrder = new OutOfOrderQps(header, rules.outOfOrder, ledger, objects, port);
  // a capture shows nothing of the software, and so no QP whose service is known
  const { verbs } = header.sight;
  const software = [
    // in front: what a context without objects receives is for no other judge
    new UserContextJudge(rules.userContexts, ledger, header.capabilities),
    new QpAttributeJudge(rules.attributes, ledger, header),
    new RouteJudge(rules.route, ledger, objects, header.capabilities),
    new VerbsJudge(rules.verbs, ledger, header, objects, (qp) =>
      qp.kind === 'ORC' ? outOfOrder.underWay(qp) : reliable.pairs.underWay(qp),
    ),
  ];
  const always = [
    ...(verbs ? software : []),
    new Survival(rules.reliable.device, ledger),
    new CongestionJudge(header, rules.congestion, {
      ledger,
      objects,
      stalls,
      suspect: (violation) => {
        findings.copies.suspect(violation);
      },
      hold: (qp, from, until) => {
        reliable.pairs.hold(qp, from, until);
        outOfOrder.hold(qp);
      },
      left: (packet, when) => {
        reliable.left(packet, when);
      },
      vain: (qpNumber, branch, when) => {
        reliable.vain(qpNumber, branch, when);
      },
    }),
  ];
  if (share === 'others') return always;
  if (header.sight.packets === 'none')
    return [
      ...always,
      new EndToEndJudge({ ...rules.endToEnd, limits: rules.limits }, ledger, header, objects),
    ];
  const others = [outOfOrder, new UnreliableQps(header, rules.unreliable, ledger, objects, stalls)];
  return [
    ...always,
    ...(verbs ? others : []),
    header.dut === undefined
      ? new CapturedConnections(header, rules.reliable, { ledger, findings, objects })
      : reliable,
  ];
}
