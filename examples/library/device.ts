/**
 * The device under test, as `--adapter` names it: `DEVICE=rxe npx vitest run`, `DEVICE=./my-nic.ts npx vitest run`. An Adapter
 * that is an object of this program does as well.
 */
export const device = process.env['DEVICE'] ?? 'reference';
