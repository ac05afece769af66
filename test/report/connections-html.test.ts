import { describe, expect, it } from 'vitest';
import { connectionsTable } from '../../report/html/connections.ts';
import type { Connection, ConnectionEnd } from '../../report/connections/shape.ts';

function end(address: string): ConnectionEnd {
  const again = { 'sequence-nak': 3, 'rnr-nak': 2, unseen: 0, answered: 0, silence: 0 };
  const counts = { packets: 9, bytes: 900, requests: 9, responses: 0, cnps: 0, payload: 0, copies: 0 };
  const odd = { reordered: 0, rnrNaks: 0, naks: {}, ce: 0, wrongIcrc: 0, portChanges: 0, missing: 0 };
  return { address, qp: 1, ...counts, again, ...odd };
}

const connection = (i: number): Connection => ({
  service: 'RC',
  ends: [end(`10.0.0.${i}`), end('10.0.1.1')],
  first: 0,
  last: 1000,
  violations: 0,
  judged: 'both ends',
  hints: ['A thing is seen: it means something.'],
});

function page(total: number): string {
  const listed = Array.from({ length: total }, (_, i) => connection(i));
  const tally = [{ says: 'A thing is seen: it means something.', connections: total }];
  return connectionsTable({ total, listed, judged: [], hints: tally })?.text ?? '';
}

describe('the table of connections in HTML', () => {
  it('says of one connection in full what is seen of it', () => {
    expect(page(1)).toContain('A thing is seen: it means something.');
    expect(page(1)).not.toContain('of how many connections');
  });

  it('says what is seen of several above the table, once', () => {
    const text = page(20);
    expect(text.split('it means something').length).toBe(2);
    expect(text.indexOf('it means something')).toBeLessThan(text.indexOf('10.0.0.0'));
    expect(text).not.toContain('<details');
  });

  it('folds all but the worst 20, and shows 200', () => {
    const text = page(250);
    const [open = '', folded = ''] = text.split(/<details/);
    const rows = (part: string): number => part.split('from 10.0.0.').length - 1;
    expect([rows(open), rows(folded)]).toEqual([20, 180]);
    expect(folded).toContain('180 connections more');
    expect(folded).toContain('and 50 more');
  });
});
