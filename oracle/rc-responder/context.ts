import type { Qp } from '../device/qp.ts';
import type { CaptureVisibility } from './capture/visibility.ts';
import type { PossibleResponderStates } from './possible-states.ts';
import type { ResponderReport } from './report.ts';
import type { ResponderRules } from './rules.ts';

/** What the parts of a responder's judge share. */
export interface ResponderContext {
  readonly connection: Qp;
  readonly rules: ResponderRules;
  readonly states: PossibleResponderStates;
  readonly report: ResponderReport;
  /** what a capture shows; `undefined`: the trace was recorded at the device */
  readonly sight: CaptureVisibility | undefined;
}
