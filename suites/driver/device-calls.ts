import type { Bench } from '../../adapters/adapter.ts';
import type { Step } from '../scenario.ts';
import type { End } from './setup/end.ts';
import type { Recorder } from './recorder.ts';

/** Asks for the attributes of the QP and notes them. */
export async function queryQp({ qp, verbs }: End, recorder: Recorder): Promise<void> {
  await recorder.call(
    () => verbs.query_qp(qp),
    (attr) => ({ call: 'query_qp', qp, attr }),
  );
}

/** Asks what the device is able to do and notes it; nothing where the adapter has no such call. */
export async function queryDevice({ verbs }: End, recorder: Recorder): Promise<void> {
  const query = verbs.query_device;
  if (query === undefined) return;
  await recorder.call(
    () => query.call(verbs),
    (attr) => ({ call: 'query_device', attr }),
  );
}

/** Asks for the attributes of the DUT's port and notes them; nothing where the adapter has no such call. */
export async function queryPort({ verbs }: End, recorder: Recorder): Promise<void> {
  const query = verbs.query_port;
  if (query === undefined) return;
  await recorder.call(
    () => query.call(verbs),
    (attr) => ({ call: 'query_port', attr }),
  );
}

/** Asks for the GIDs of the DUT's port and notes them; nothing where the adapter has no such call. */
async function queryGid({ verbs }: End, recorder: Recorder): Promise<void> {
  const query = verbs.query_gid;
  if (query === undefined) return;
  await recorder.call(
    () => query.call(verbs),
    (gids) => ({ call: 'query_gid', gids }),
  );
}

/** Asks for an entry of the P_Key table; the device may refuse. Nothing where the adapter has no such call, or does not say how long the table is. */
async function queryPkey(
  { verbs, qp }: End,
  { index, beyond }: Extract<Step, { do: 'query_pkey' }>,
  recorder: Recorder,
): Promise<void> {
  const query = verbs.query_pkey;
  if (query === undefined) return;
  const length = beyond === true ? (await verbs.query_port?.())?.pkey_tbl_len : 0;
  if (length === undefined) return;
  const noted = { call: 'query_pkey' as const, index: length + index, pkey: 0 };
  await recorder.attempt(
    qp,
    async () => {
      noted.pkey = await query.call(verbs, noted.index);
    },
    noted,
  );
}

/** Asks for the attributes of the SRQ and notes them; nothing where there is none, or no such call. */
export async function querySrq({ verbs, srq }: End, recorder: Recorder): Promise<void> {
  const query = verbs.query_srq;
  if (query === undefined || srq === undefined) return;
  await recorder.call(
    () => query.call(verbs, srq),
    (attr) => ({ call: 'query_srq', srq, attr }),
  );
}

/** Arms the limit of the SRQ, or changes its size; the device may refuse. Nothing where there is no SRQ. */
export async function modifySrq(
  { verbs, srq, qp }: End,
  { limit, maxWr }: Extract<Step, { do: 'modify_srq' }>,
  recorder: Recorder,
): Promise<void> {
  if (srq === undefined) return;
  const attr = {
    ...(maxWr !== undefined && { max_wr: maxWr }),
    ...(limit !== undefined && { srq_limit: limit }),
  };
  const modify = async (): Promise<void> => verbs.modify_srq(srq, attr);
  await recorder.attempt(qp, modify, { call: 'modify_srq', srq, attr });
}

/** Asks for a memory region on the PD of the QP; the device may refuse. */
async function registerMemory(
  { verbs, qp, pds, extraRegions }: End,
  { length, access }: Extract<Step, { do: 'reg_mr' }>,
  recorder: Recorder,
): Promise<void> {
  const [pd = 0] = pds;
  // The device gives handle, address and keys; a refused call has none.
  const asked = { call: 'reg_mr' as const, pd, length, access, mr: 0, addr: 0n, lkey: 0, rkey: 0 };
  await recorder.attempt(
    qp,
    async () => {
      const made = await verbs.reg_mr({ pd, length, access });
      extraRegions.push(made.mr);
      Object.assign(asked, made);
    },
    asked,
  );
}

/** Asks for a completion event of one of the CQs. */
async function requestNotification(
  { verbs, qp, sendCq, cqs }: End,
  step: Extract<Step, { do: 'req_notify_cq' }>,
  recorder: Recorder,
): Promise<void> {
  const cq = step.queue === 'send' ? sendCq : (cqs.at(-1) ?? sendCq);
  const solicitedOnly = step.solicitedOnly === true;
  const arm = async (): Promise<void> => verbs.req_notify_cq(cq, solicitedOnly);
  await recorder.attempt(qp, arm, { call: 'req_notify_cq', cq, solicited_only: solicitedOnly });
}

/** Asks for another size of one of the CQs; the device may refuse. Nothing where the adapter has no such call. */
async function resizeCq(
  { verbs, qp, sendCq, cqs }: End,
  { queue, cqe }: Extract<Step, { do: 'resize_cq' }>,
  recorder: Recorder,
): Promise<void> {
  const resize = verbs.resize_cq;
  if (resize === undefined) return;
  const cq = queue === 'send' ? sendCq : (cqs.at(-1) ?? sendCq);
  const noted = { call: 'resize_cq' as const, cq, cqe, asked: cqe };
  await recorder.attempt(
    qp,
    async () => {
      noted.cqe = await resize.call(verbs, cq, cqe);
    },
    noted,
  );
}

/** What a step asks of the device, which may refuse. */
export async function ask(
  end: End,
  step: Extract<Step, { do: 'req_notify_cq' | 'resize_cq' | 'reg_mr' | 'query_pkey' }>,
  recorder: Recorder,
): Promise<void> {
  switch (step.do) {
    case 'req_notify_cq':
      return requestNotification(end, step, recorder);
    case 'resize_cq':
      return resizeCq(end, step, recorder);
    case 'query_pkey':
      return queryPkey(end, step, recorder);
    case 'reg_mr':
      return registerMemory(end, step, recorder);
  }
}

/** Takes the link of the DUT's port down or up; nothing where the adapter cannot. */
export async function changeLink({ setLink }: Bench, up: boolean, recorder: Recorder): Promise<void> {
  if (setLink === undefined) return;
  const start = recorder.stamp();
  await setLink(up);
  recorder.push({ kind: 'link', t: recorder.stamp(), start, up });
}

/** Gives the DUT's port one more address, or takes it away; nothing where the adapter cannot. */
export async function changeGid({ setGid }: Bench, present: boolean, recorder: Recorder): Promise<void> {
  if (setGid === undefined) return;
  const start = recorder.stamp();
  const gid = await setGid(present);
  recorder.push({ kind: 'gid', t: recorder.stamp(), start, gid, present });
}

/** The steps that ask the DUT something. */
export const queries = {
  query_qp: queryQp,
  query_device: queryDevice,
  query_srq: querySrq,
  query_port: queryPort,
  query_gid: queryGid,
} as const;
