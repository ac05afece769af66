import type { Mutant } from './table.ts';

/** Faults in what is looked at in front of the transport headers. */
export const responderFrames = [
  {
    id: 'ethertype-unchecked',
    says: 'Takes packets whatever their ethertype.',
    breaks: 'a frame with another ethertype is dropped silently',
    statements: ['rx-drop-bad-ethertype'],
  },
  {
    id: 'ip-header-unchecked',
    says: 'Looks at neither version, length nor checksum of the IP header.',
    breaks: 'a packet with a wrong IP header is dropped silently',
    statements: ['rx-drop-bad-ip-header'],
  },
  {
    id: 'udp-header-unchecked',
    says: 'Takes packets to any UDP port and of any UDP length.',
    breaks: 'a packet with a wrong UDP header is dropped silently',
    statements: ['rx-drop-bad-udp-header'],
  },
  {
    id: 'cut-short-accepted',
    says: 'Takes zeros for the headers that a packet is too short for.',
    breaks: 'a packet too short for its headers is dropped silently',
    statements: ['ee-drop-general'],
  },
  {
    id: 'wrong-udp-length-sent',
    says: 'Sends Acknowledges with a UDP length two bytes too large.',
    breaks: 'what is sent is well-formed',
    statements: [],
  },
] as const satisfies readonly Mutant[];
