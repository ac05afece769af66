import { realTimeReference } from '../suites/real-time.ts';

/** A device on real time, for `agent --adapter`. */
export default realTimeReference(8, 300e6);
