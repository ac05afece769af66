import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameNumbers } from '../../cli/check/frame-numbers.ts';

describe('frame numbers', () => {
  it('gives back the frame of every event', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (isPacket) => {
        const numbers = new FrameNumbers();
        const frames = isPacket.flatMap((yes, i) => (yes ? [i + 1] : []));
        frames.forEach((frame, event) => {
          numbers.add(event, frame);
        });
        expect(frames.map((_, event) => numbers.frameOf(event))).toEqual(frames);
      }),
    );
  });

  it('knows nothing before the first event', () => {
    expect(new FrameNumbers().frameOf(0)).toBeUndefined();
  });
});
