import { expect, it } from 'vitest';
import { formatIpv4 } from '../../wire/index.ts';

it('an IPv4 address keeps its text, whichever others share its place', () => {
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 4096; n++) {
      const bytes = [10, n >>> 8, (n * 37) & 0xff, n & 0xff];
      expect(formatIpv4(Uint8Array.from(bytes), 0)).toBe(bytes.join('.'));
    }
  expect(formatIpv4(Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 255), 4)).toBe('255.255.255.255');
});
