import type { Mutant } from './table.ts';

/** Faults of the switch on the path, which is no part of the device: its bench brings it along. */
export const congestionSwitch = [
  {
    id: 'switch-marks-not-ect',
    says: 'Its switch marks packets that are not ECN capable.',
    breaks: 'a packet that is not ECN capable is never marked',
    statements: ['cc-router-never-marks-not-ect'],
  },
  {
    id: 'switch-never-marks',
    says: 'Its switch marks nothing.',
    breaks: 'a packet above the upper threshold is marked',
    statements: ['cc-router-sets-ce', 'cc-mark-above-high', 'cc-ecn-two-bits'],
  },
  {
    id: 'switch-marks-below-low',
    says: 'Its switch marks packets below the lower threshold.',
    breaks: 'nothing is marked below the lower threshold',
    statements: ['cc-mark-below-low', 'cc-mark-by-queue-length'],
  },
  {
    id: 'switch-marks-all-between',
    says: 'Its switch marks every packet above the lower threshold.',
    breaks: 'between the thresholds some are marked',
    statements: ['cc-mark-linear-between', 'cc-mark-curve'],
  },
  {
    id: 'switch-marks-none-between',
    says: 'Its switch marks nothing below the upper threshold.',
    breaks: 'between the thresholds some are marked',
    statements: ['cc-mark-linear-between', 'cc-mark-curve'],
  },
  {
    id: 'switch-marks-flat',
    says: 'Its switch marks with one and the same probability anywhere between the thresholds.',
    breaks: 'between the thresholds a longer queue marks more',
    statements: ['cc-mark-linear-between', 'cc-mark-by-queue-length'],
  },
  {
    id: 'switch-marks-convex',
    says: 'Its switch marks with a probability that rises with the square of the queue.',
    breaks: 'between the thresholds the probability rises in a straight line',
    statements: ['cc-mark-linear-between', 'cc-mark-curve'],
  },
  {
    id: 'switch-marks-ect0-only',
    says: 'Its switch marks no packet with ECT(1).',
    breaks: 'both ECT code points are marked',
    statements: ['cc-ect-not-interchangeable', 'cc-router-sets-ce'],
  },
  {
    id: 'switch-clears-ce',
    says: 'Its switch takes CE off packets.',
    breaks: 'CE stays',
    statements: ['cc-router-sets-ce'],
  },
  {
    id: 'switch-sets-ect1',
    says: 'Its switch marks with ECT(1) in place of CE.',
    breaks: 'the mark is CE',
    statements: ['cc-router-sets-ce', 'cc-ecn-two-bits'],
  },
  {
    id: 'switch-drops-early',
    says: 'Its switch drops packets while its buffer has room.',
    breaks: 'nothing is dropped while there is room',
    statements: ['cc-congested-packet-delivered', 'cc-buffer-overflow-drop'],
  },
  {
    id: 'switch-never-drops',
    says: 'Its switch holds more than its buffer.',
    breaks: 'a packet for which there is no room is dropped',
    statements: ['cc-buffer-overflow-drop'],
  },
  {
    id: 'switch-drops-lossless',
    says: 'Its switch drops packets in place of pausing its inputs.',
    breaks: 'a lossless switch drops nothing',
    statements: ['cc-lossless-pause'],
  },
  {
    id: 'switch-pauses-lossy',
    says: 'Its switch pauses its inputs though it has no flow control.',
    breaks: 'a switch without flow control pauses nobody',
    statements: ['cc-buffer-overflow-drop'],
  },
  {
    id: 'switch-never-pauses',
    says: 'Its switch pauses no input.',
    breaks: 'a lossless switch pauses its inputs before its buffer is full',
    statements: ['cc-lossless-pause'],
  },
] as const satisfies readonly Mutant[];
