const units: readonly (readonly [size: number, name: string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
];

/**
 * Nanoseconds for people, in the unit that fits, as ladders have them: "999 ns", "50.000 us", "3.5457786 s". No digit is lost, so that
 * what was seen differs from the bound that it broke. Fractions of a nanosecond are rounded.
 */
export function inUnits(ns: number): string {
  const whole = Math.round(ns);
  const [size, name] = units.find(([least]) => Math.abs(whole) >= least) ?? [1, 'ns'];
  if (size === 1) return `${whole} ns`;
  return `${(whole / size).toFixed(Math.log10(size)).replace(/(\.\d{3}\d*?)0+$/, '$1')} ${name}`;
}
