import type { VerbsCall } from '../../trace.ts';

/** Room that software has asked for in an object, and what the device has made of it. */
export interface Room {
  /** what it is made of; `unused`: the receive queue of a QP that is on an SRQ */
  of: 'cq' | 'srq' | 'queue' | 'unused';
  /** as the verbs name it, e.g. max_send_wr */
  name: string;
  asked: number;
  given: number;
}

type Call<Name extends VerbsCall['call']> = Extract<VerbsCall, { call: Name }>;

/** Of a CQ; `undefined` where the device does not tell. */
export function roomOfCq({ asked, cqe: given }: Call<'create_cq'>): Room[] | undefined {
  return asked === undefined ? undefined : [{ of: 'cq', name: 'cqe', asked, given }];
}

/** Of an SRQ; likewise. */
export function roomOfSrq({ asked, max_wr, max_sge = 0 }: Call<'create_srq'>): Room[] | undefined {
  return (
    asked && [
      { of: 'srq', name: 'max_wr', asked: asked.max_wr, given: max_wr },
      { of: 'srq', name: 'max_sge', asked: asked.max_sge, given: max_sge },
    ]
  );
}

/** Of the queues of a QP; likewise. */
export function roomOfQp(call: Call<'create_qp'>): Room[] | undefined {
  const { asked, srq, max_send_wr, max_send_sge = 0, max_inline_data = 0 } = call;
  if (asked === undefined) return undefined;
  const { max_recv_wr, max_recv_sge = 0 } = call;
  const receive = srq === undefined ? 'queue' : 'unused';
  return [
    { of: 'queue', name: 'max_send_wr', asked: asked.max_send_wr, given: max_send_wr },
    { of: 'queue', name: 'max_send_sge', asked: asked.max_send_sge, given: max_send_sge },
    { of: 'queue', name: 'max_inline_data', asked: asked.max_inline_data ?? 0, given: max_inline_data },
    { of: receive, name: 'max_recv_wr', asked: asked.max_recv_wr, given: max_recv_wr },
    { of: receive, name: 'max_recv_sge', asked: asked.max_recv_sge, given: max_recv_sge },
  ];
}
