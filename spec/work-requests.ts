import type { OpcodeFamily } from './constants.ts';
import { loadSpecYaml } from './load.ts';
import type { WcOpcode, WrOpcode } from './verbs.ts';

/** What the last packet of a message carries besides its payload. */
export type Carried = 'nothing' | 'immediate' | 'invalidate';

/** What a work request of the send queue asks for. */
export interface WorkRequestInfo {
  /** `internal`: of the device itself, and no packet goes out */
  readonly asks: OpcodeFamily | 'internal';
  readonly carries: Carried;
  /** opcode of its completion */
  readonly completes: WcOpcode;
  /** capability that a device must have declared for it; `undefined`: every device has it */
  readonly capability?: string;
}

/** By opcode. Source: `constants/work-requests.yaml`, which test/spec checks against its JSON Schema. */
export const workRequests = loadSpecYaml('constants/work-requests.yaml') as Readonly<
  Record<WrOpcode, WorkRequestInfo>
>;
