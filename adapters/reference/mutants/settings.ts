import type { ReferenceConfig } from '../config.ts';
import { defaultOutOfOrder } from '../ooo/settings.ts';
import type { MutantId } from '../mutant.ts';

/** Settings of the device around some mutants, without which their fault could not show, or hardly. */
export const mutantSettings: Readonly<Partial<Record<MutantId, Partial<ReferenceConfig>>>> = {
  'min-timeout-not-raised': { minTimeout: 6 },
  'timer-restarted-by-ghosts': { timeoutFactor: 4 },
  'implied-nak-not-counted': { impliedNak: 'each' },
  'uc-abort-fatal': { srqAbort: true },
  'uc-abort-status': { srqAbort: true },
  'uc-too-long-status': { ucFault: 'complete' },
  'uc-access-status': { ucFault: 'complete' },
  'unreliable-receive-invalid': { ucFault: 'complete' },
  'ud-long-status': { longDatagram: 'complete' },
  'srq-error-survived': { srqErrors: true },
  'failed-srq-kept': { srqErrors: true },
  'srq-limit-refused': { srqResize: false },
  'srq-resized-anyway': { srqResize: false },
  'inline-data-late': { packetGap: 2000 },
  'uc-message-halts-in-sqd': { packetGap: 2000 },
  'ooo-guard-missing': { outOfOrder: { ...defaultOutOfOrder, fence: 'guard' } },
  'ooo-full-fence-ignored': { outOfOrder: { ...defaultOutOfOrder, fencesAll: true } },
};
