const units: readonly (readonly [size: number, name: string])[] = [
  [1e9, 'Gb/s'],
  [1e6, 'Mb/s'],
  [1e3, 'kb/s'],
];

/**
 * Bits per second for people, in the unit that fits, the same in ladders and in what is expected: "40 Gb/s", "2.5 Gb/s", "16 Mb/s". No
 * digit is lost; fractions of a bit are rounded.
 */
export function rateInUnits(rate: number): string {
  const whole = Math.round(rate);
  const [size, name] = units.find(([least]) => whole >= least) ?? [1, 'b/s'];
  return `${whole / size} ${name}`;
}
