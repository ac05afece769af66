import { describe, expect, it } from 'vitest';
import { nearest, unknownWord } from '../../cli/flags/nearest.ts';

describe('nearest match', () => {
  it('finds slips and parts, and nothing that is far', () => {
    const ids = ['rc-request-ahead', 'rc-request-expected', 'rc-drop-pkey'];
    expect(nearest('rc-request-ahed', ids)).toBe('rc-request-ahead');
    expect(nearest('pkey', ids)).toBe('rc-drop-pkey');
    expect(nearest('zzzzzz', ids)).toBeUndefined();
    expect(nearest('x', ['c', 'node'])).toBeUndefined();
    expect(nearest('oo', ['uc', 'ooo'])).toBe('ooo');
  });

  it('says what there is where nothing is near', () => {
    expect(unknownWord('reporter', 'zzzzz', ['pretty', 'json'])).toBe(
      'unknown reporter "zzzzz"; there are: pretty, json',
    );
    const many = Array.from({ length: 20 }, (_, i) => `rule-${i}`);
    expect(unknownWord('rule', 'zzzzz', many)).toBe('unknown rule "zzzzz"; "rdma-conform rules" lists them');
    expect(unknownWord('thing', 'zzzzz', many)).toBe('unknown thing "zzzzz"');
  });
});
