import type { Layer } from '../reporter.ts';
import { hanging } from '../text.ts';

/** Bytes of a layer as hex, two characters each, in groups of `group` bytes. */
export function hexBytes(frame: string, { offset, length }: Layer, group = 1): string {
  const bytes = frame.slice(offset * 2, (offset + length) * 2).match(/../g) ?? [];
  const groups: string[] = [];
  for (let i = 0; i < bytes.length; i += group) groups.push(bytes.slice(i, i + group).join(''));
  return groups.join(' ');
}

export function fieldsText(layer: Layer): string {
  return layer.fields.map(({ name, value }) => `${name} ${value}`).join(', ');
}

/** Bytes of a payload that are written out. */
const shownPayload = 32;

/** A frame, header by header: what its fields say, and their bytes below. */
export function bytesLines(frame: string, layers: readonly Layer[], width: number): string[] {
  return layers.flatMap((layer) => {
    const bytes = hexBytes(frame, { ...layer, length: Math.min(layer.length, shownPayload + 22) });
    const rest = layer.length > shownPayload + 22 ? ' ...' : '';
    return [
      ...hanging(`   ${layer.name.padEnd(11)} `, fieldsText(layer), width),
      ...hanging(' '.repeat(15), `${bytes}${rest}`, width),
    ];
  });
}
