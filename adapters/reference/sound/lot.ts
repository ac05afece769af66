/** State of the lots that each device has drawn. */
const drawn = new WeakMap<object, number>();

/** A number from 0 up to 1 that looks like chance; each device draws the same ones in the same order. */
export function lot(device: object): number {
  const next = (Math.imul(drawn.get(device) ?? 1, 1_664_525) + 1_013_904_223) >>> 0;
  drawn.set(device, next);
  return next / 2 ** 32;
}
