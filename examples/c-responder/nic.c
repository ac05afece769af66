#include "nic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ACK = 0x1f, RNR_NAK = 0x20, NAK_SEQUENCE = 0x60, NAK_INVALID, NAK_ACCESS, NAK_OPERATIONAL };

/* Why a request is answered by a NAK that ends the connection. */
struct refusal {
  uint8_t syndrome;
  const char *status; /* of the receive that it had taken */
  const char *event;  /* if it had none */
};
static const struct refusal invalid = {NAK_INVALID, "IBV_WC_LOC_QP_OP_ERR", "IBV_EVENT_QP_REQ_ERR"};
static const struct refusal no_reads = {NAK_INVALID, "IBV_WC_LOC_QP_OP_ERR", "IBV_EVENT_QP_ACCESS_ERR"};
static const struct refusal too_long = {NAK_INVALID, "IBV_WC_LOC_LEN_ERR", "IBV_EVENT_QP_REQ_ERR"};
static const struct refusal forbidden = {NAK_ACCESS, "IBV_WC_LOC_ACCESS_ERR", "IBV_EVENT_QP_ACCESS_ERR"};
static const struct refusal operational = {NAK_OPERATIONAL, "IBV_WC_LOC_PROT_ERR", NULL};

/* Lists of objects: each begins with `next` and `handle`. */

#define FINDER(type, list)                                          \
  struct type *nic_##type(struct nic *nic, int handle) {            \
    struct type *found = nic->list;                                 \
    while (found && found->handle != handle) found = found->next;   \
    return found;                                                   \
  }
FINDER(pd, pds)
FINDER(mr, mrs)
FINDER(cq, cqs)
FINDER(qp, qps)

#define ADD(nic, list, object) ((object)->handle = ++(nic)->handles, (object)->next = (nic)->list, (nic)->list = (object))
#define REMOVE(type, list, object)                                  \
  do {                                                              \
    struct type **at = &(list);                                     \
    while (*at != (object)) at = &(*at)->next;                      \
    *at = (object)->next;                                           \
    free(object);                                                   \
  } while (0)

static void forget(struct recv_wr *wr) {
  while (wr) {
    struct recv_wr *next = wr->next;
    free(wr);
    wr = next;
  }
}

/* Protection domains, memory, completion queues */

struct pd *nic_alloc_pd(struct nic *nic) {
  struct pd *pd = calloc(1, sizeof *pd);
  ADD(nic, pds, pd);
  return pd;
}

int nic_dealloc_pd(struct nic *nic, struct pd *pd) {
  for (struct mr *mr = nic->mrs; mr; mr = mr->next)
    if (mr->pd == pd) return EINVAL;
  for (struct qp *qp = nic->qps; qp; qp = qp->next)
    if (qp->pd == pd) return EINVAL;
  REMOVE(pd, nic->pds, pd);
  return 0;
}

int nic_reg_mr(struct nic *nic, struct pd *pd, uint32_t length, uint32_t access, struct mr **made) {
  if (access & (REMOTE_WRITE | REMOTE_ATOMIC) && !(access & LOCAL_WRITE)) return EINVAL;
  struct mr *mr = calloc(1, sizeof *mr);
  mr->pd = pd;
  mr->addr = nic->next_addr;
  mr->length = length;
  mr->access = access;
  mr->key = nic->keys += 0x100;
  mr->bytes = calloc(1, (size_t)length + 2 * NIC_GUARD);
  /* the page before and the page behind belong to nobody */
  nic->next_addr += (length + 2 * 4096) / 4096 * 4096 + 4096;
  ADD(nic, mrs, mr);
  *made = mr;
  return 0;
}

int nic_dereg_mr(struct nic *nic, struct mr *mr) {
  free(mr->bytes);
  REMOVE(mr, nic->mrs, mr);
  return 0;
}

/* Where `length` bytes from `addr` are, if the key opens them for all of `rights`; NULL if it does not. */
static uint8_t *memory(struct nic *nic, struct pd *pd, uint32_t key, uint64_t addr, uint32_t length, uint32_t rights) {
  struct mr *mr = nic->mrs;
  while (mr && mr->key != key) mr = mr->next;
  if (!mr || mr->pd != pd || (mr->access & rights) != rights) return NULL;
  if (addr < mr->addr || length > mr->length || addr - mr->addr > mr->length - length) return NULL;
  return mr->bytes + NIC_GUARD + (addr - mr->addr);
}

struct cq *nic_create_cq(struct nic *nic) {
  struct cq *cq = calloc(1, sizeof *cq);
  ADD(nic, cqs, cq);
  return cq;
}

int nic_destroy_cq(struct nic *nic, struct cq *cq) {
  for (struct qp *qp = nic->qps; qp; qp = qp->next)
    if (qp->send_cq == cq || qp->recv_cq == cq) return EINVAL;
  for (struct wc *wc; (wc = nic_poll_cq(cq));) free(wc);
  REMOVE(cq, nic->cqs, cq);
  return 0;
}

struct wc *nic_poll_cq(struct cq *cq) {
  struct wc *wc = cq->first;
  if (wc) cq->first = wc->next;
  return wc;
}

static void complete(struct nic *nic, struct qp *qp, struct recv_wr *wr, struct wc entry) {
  struct wc *wc = malloc(sizeof *wc);
  struct cq *cq = qp->recv_cq;
  *wc = entry;
  wc->wr_id = wr->wr_id;
  wc->qp_num = qp->number;
  wc->next = NULL;
  if (cq->first) cq->last->next = wc;
  else cq->first = wc;
  cq->last = wc;
  free(wr);
  if (cq->armed) {
    cq->armed = false;
    nic->cq_event(cq->handle);
  }
}

/* Queue pairs */

#define A(name) (1u << A_##name)
static const uint32_t alternate = A(ALT_AH) | A(ALT_PKEY_INDEX) | A(ALT_PORT_NUM) | A(ALT_TIMEOUT);
static const uint32_t initial = A(PKEY_INDEX) | A(PORT_NUM) | A(ACCESS);
static const uint32_t transmit = A(TIMEOUT) | A(RETRY_CNT) | A(RNR_RETRY) | A(SQ_PSN) | A(MAX_RD_ATOMIC);

/* Which attributes ibv_modify_qp takes on the way from `here` to `there`; false if there is no such way. */
static bool way(enum qp_state here, enum qp_state there, uint32_t *required, uint32_t *optional) {
  const uint32_t running = A(CUR_QP_STATE) | A(ACCESS) | A(MIN_RNR_TIMER) | A(PATH_MIG_STATE) | alternate;
  *required = *optional = 0;
  if (there == QPS_RESET || (there == QPS_ERR && here != QPS_RESET)) return true;
  if (here == QPS_RESET && there == QPS_INIT) return *required = initial, true;
  if (here == QPS_INIT && there == QPS_INIT) return *optional = initial, true;
  if (here == QPS_INIT && there == QPS_RTR) {
    *required = A(AH) | A(PATH_MTU) | A(DEST_QP_NUM) | A(RQ_PSN) | A(MAX_DEST_RD_ATOMIC) | A(MIN_RNR_TIMER);
    return *optional = A(ACCESS) | A(PKEY_INDEX) | alternate, true;
  }
  if (here == QPS_RTR && there == QPS_RTS) return *required = transmit, *optional = running, true;
  if (here == QPS_RTS && there == QPS_SQD) return *optional = A(EN_SQD_ASYNC_NOTIFY), true;
  if ((here == QPS_RTS || here == QPS_SQD) && there == QPS_RTS) return *optional = running, true;
  if (here == QPS_SQD && there == QPS_SQD) {
    *optional = (running & ~A(CUR_QP_STATE)) | initial | (transmit & ~A(SQ_PSN)) | A(AH) | A(MAX_DEST_RD_ATOMIC);
    return true;
  }
  return false;
}

struct qp *nic_create_qp(struct nic *nic, struct pd *pd, struct cq *send_cq, struct cq *recv_cq, int max_recv_wr,
                         int max_recv_sge) {
  struct qp *qp = calloc(1, sizeof *qp);
  *qp = (struct qp){.pd = pd, .send_cq = send_cq, .recv_cq = recv_cq, .max_recv_wr = max_recv_wr, .max_recv_sge = max_recv_sge};
  qp->number = ++nic->numbers;
  ADD(nic, qps, qp);
  return qp;
}

static void flush(struct nic *nic, struct qp *qp) {
  while (qp->receives) {
    struct recv_wr *wr = qp->receives;
    qp->receives = wr->next;
    complete(nic, qp, wr, (struct wc){.status = "IBV_WC_WR_FLUSH_ERR"});
  }
}

/* To the error state; receives come back, first that of a message under way. */
static void fail(struct nic *nic, struct qp *qp) {
  qp->state = QPS_ERR;
  if (qp->wr) {
    qp->wr->next = qp->receives;
    qp->receives = qp->wr;
    qp->wr = NULL;
  }
  qp->message = NO_MESSAGE;
  flush(nic, qp);
}

static void reset_qp(struct qp *qp) {
  forget(qp->receives);
  free(qp->wr);
  struct qp fresh = {.next = qp->next, .handle = qp->handle, .number = qp->number, .pd = qp->pd,
                     .send_cq = qp->send_cq, .recv_cq = qp->recv_cq,
                     .max_recv_wr = qp->max_recv_wr, .max_recv_sge = qp->max_recv_sge};
  *qp = fresh;
}

/* The largest value of an attribute; max_dest_rd_atomic and max_rd_atomic as far as the profile says. */
static uint32_t largest(enum attr attr) {
  switch (attr) {
  case A_TIMEOUT: case A_ALT_TIMEOUT: case A_MIN_RNR_TIMER: return 31;
  case A_RETRY_CNT: case A_RNR_RETRY: return 7;
  case A_RQ_PSN: case A_SQ_PSN: case A_DEST_QP_NUM: return 0xffffff;
  case A_MAX_DEST_RD_ATOMIC: case A_MAX_RD_ATOMIC: return 16;
  default: return UINT32_MAX;
  }
}

int nic_modify_qp(struct nic *nic, struct qp *qp, const struct qp_attr *attr) {
  enum qp_state there = attr->given & A(QP_STATE) ? (enum qp_state)attr->value[A_QP_STATE] : qp->state;
  uint32_t given = attr->given & ~A(QP_STATE), required, optional;
  if (!way(qp->state, there, &required, &optional)) return EINVAL;
  if ((given & required) != required || given & ~(required | optional)) return EINVAL;
  if (given & A(CUR_QP_STATE) && attr->value[A_CUR_QP_STATE] != qp->state) return EINVAL;
  for (int i = 0; i < A_COUNT; i++)
    if (given >> i & 1 && attr->value[i] > largest((enum attr)i)) return EINVAL;
  if (there == QPS_RESET) return reset_qp(qp), 0;
  uint32_t kept = given & ~(A(CUR_QP_STATE) | A(EN_SQD_ASYNC_NOTIFY));
  qp->attr.given |= kept;
  for (int i = 0; i < A_COUNT; i++)
    if (kept >> i & 1) qp->attr.value[i] = attr->value[i];
  if (qp->state == QPS_INIT && there == QPS_RTR) qp->epsn = attr->value[A_RQ_PSN];
  if (there == QPS_ERR) fail(nic, qp);
  qp->state = there;
  /* a send queue that never held anything is drained at once */
  if (there == QPS_SQD && given & A(EN_SQD_ASYNC_NOTIFY) && attr->value[A_EN_SQD_ASYNC_NOTIFY])
    nic->async_event("IBV_EVENT_SQ_DRAINED", qp->number);
  return 0;
}

struct qp_attr nic_query_qp(const struct qp *qp) {
  struct qp_attr attr = qp->attr;
  attr.given |= A(QP_STATE) | A(CUR_QP_STATE);
  attr.value[A_QP_STATE] = attr.value[A_CUR_QP_STATE] = qp->state;
  if (qp->state > QPS_INIT) attr.given |= A(RQ_PSN), attr.value[A_RQ_PSN] = qp->epsn;
  return attr;
}

int nic_destroy_qp(struct nic *nic, struct qp *qp) {
  reset_qp(qp);
  REMOVE(qp, nic->qps, qp);
  return 0;
}

int nic_post_recv(struct nic *nic, struct qp *qp, struct recv_wr *wr) {
  if (qp->state == QPS_RESET || wr->num_sge > qp->max_recv_sge) return EINVAL;
  int count = 0;
  struct recv_wr **last = &qp->receives;
  for (; *last; last = &(*last)->next) count++;
  if (count >= qp->max_recv_wr) return ENOMEM;
  wr->next = NULL;
  *last = wr;
  if (qp->state == QPS_ERR) flush(nic, qp);
  return 0;
}

void nic_reset(struct nic *nic) {
  while (nic->qps) nic_destroy_qp(nic, nic->qps);
  while (nic->cqs) nic_destroy_cq(nic, nic->cqs);
  while (nic->mrs) nic_dereg_mr(nic, nic->mrs);
  while (nic->pds) nic_dealloc_pd(nic, nic->pds);
  nic->handles = 0;
  nic->numbers = 0x10;
  nic->keys = 0;
  nic->next_addr = 0x10000;
}

/* Packets */

static void respond(struct nic *nic, struct qp *qp, uint8_t opcode, uint32_t psn, int64_t aeth, const uint8_t *data, uint32_t n) {
  uint8_t frame[ROCE_FRAME];
  size_t size = roce_response(frame, &nic->here, &nic->peer, opcode, qp->attr.value[A_DEST_QP_NUM], psn, aeth, data, n);
  nic->send(frame, size);
}

static void reply(struct nic *nic, struct qp *qp, uint8_t syndrome, uint32_t psn) {
  respond(nic, qp, ROCE_ACKNOWLEDGE, psn, (int64_t)syndrome << 24 | qp->msn, NULL, 0);
}

static uint32_t responses(const struct qp *qp, uint32_t length) {
  uint32_t mtu = qp->attr.value[A_PATH_MTU];
  return length == 0 ? 1 : (length - 1) / mtu + 1;
}

static void answer_read(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  uint32_t mtu = qp->attr.value[A_PATH_MTU], count = responses(qp, p->dma_length);
  const uint8_t *data = p->dma_length ? memory(nic, qp->pd, p->rkey, p->va, p->dma_length, REMOTE_READ) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t opcode = count == 1 ? ROCE_READ_ONLY : i == 0 ? ROCE_READ_FIRST : i == count - 1 ? ROCE_READ_LAST : ROCE_READ_MIDDLE;
    int64_t aeth = opcode == ROCE_READ_MIDDLE ? -1 : (int64_t)ACK << 24 | qp->msn;
    uint32_t left = p->dma_length - i * mtu;
    respond(nic, qp, opcode, psn_add(p->psn, i), aeth, data ? data + i * mtu : NULL, left < mtu ? left : mtu);
  }
}

static const struct refusal *read_request(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  if (!(qp->attr.value[A_ACCESS] & REMOTE_READ)) return &invalid;
  if (qp->attr.value[A_MAX_DEST_RD_ATOMIC] == 0) return &no_reads;
  if (p->length || p->dma_length > 1u << 31) return &invalid;
  if (p->dma_length && !memory(nic, qp->pd, p->rkey, p->va, p->dma_length, REMOTE_READ)) return &forbidden;
  if (qp->read_count == (int)qp->attr.value[A_MAX_DEST_RD_ATOMIC] || qp->read_count == 16)
    memmove(qp->reads, qp->reads + 1, --qp->read_count * sizeof *qp->reads);
  uint32_t count = responses(qp, p->dma_length);
  int at = qp->read_count++;
  qp->reads[at].psn = p->psn;
  qp->reads[at].count = count;
  qp->reads[at].va = p->va;
  qp->reads[at].rkey = p->rkey;
  qp->reads[at].length = p->dma_length;
  qp->epsn = psn_add(qp->epsn, count);
  qp->msn = psn_add(qp->msn, 1);
  answer_read(nic, qp, p);
  return NULL;
}

/* Puts `data` into the buffers of a receive, `offset` bytes behind their beginning. */
static const struct refusal *scatter(struct nic *nic, struct qp *qp, uint32_t offset, const uint8_t *data, uint32_t length) {
  uint64_t room = 0;
  for (int i = 0; i < qp->wr->num_sge; i++) room += qp->wr->sg_list[i].length;
  if ((uint64_t)offset + length > room) return &too_long;
  for (int i = 0; i < qp->wr->num_sge && length; i++) {
    const struct sge *sge = &qp->wr->sg_list[i];
    uint32_t skipped = offset < sge->length ? offset : sge->length, part = sge->length - skipped;
    offset -= skipped;
    if (part > length) part = length;
    if (!part) continue;
    uint8_t *to = memory(nic, qp->pd, sge->lkey, sge->addr, sge->length, LOCAL_WRITE);
    if (!to) return &operational;
    memcpy(to + skipped, data, part);
    data += part;
    length -= part;
  }
  return NULL;
}

/* Checks the length of a packet and puts its payload where it belongs. */
static const struct refusal *take(struct nic *nic, struct qp *qp, const struct roce_packet *p, bool first, bool last) {
  uint32_t mtu = qp->attr.value[A_PATH_MTU];
  bool whole = p->length == mtu && p->pad == 0;
  if ((!last && !whole) || p->length > mtu || (p->length + p->pad) % 4) return &invalid;
  if (last && !first && p->length == 0) return &invalid;
  uint32_t so_far = qp->so_far + p->length;
  if (qp->message == A_SEND) {
    const struct refusal *refusal = scatter(nic, qp, qp->so_far, p->payload, p->length);
    if (refusal) return refusal;
  } else {
    if (so_far > qp->announced || (last && so_far != qp->announced) || qp->announced > 1u << 31) return &invalid;
    if (qp->announced) {
      uint8_t *to = memory(nic, qp->pd, qp->rkey, qp->va, qp->announced, REMOTE_WRITE);
      if (!to) return &forbidden;
      memcpy(to + qp->so_far, p->payload, p->length);
    }
  }
  qp->so_far = so_far;
  return NULL;
}

static void finish(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  bool send = qp->message == A_SEND;
  struct recv_wr *wr = qp->wr;
  qp->msn = psn_add(qp->msn, 1);
  qp->message = NO_MESSAGE;
  qp->wr = NULL;
  if (!wr) return;
  complete(nic, qp, wr, (struct wc){
    .status = "IBV_WC_SUCCESS", .opcode = send ? "IBV_WC_RECV" : "IBV_WC_RECV_RDMA_WITH_IMM",
    .byte_len = qp->so_far, .with_imm = p->has_immediate, .imm_data = p->immediate});
}

/* A request with the expected PSN. */
static const struct refusal *execute(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  if (p->opcode > 0x0c) return &invalid;
  bool read = p->opcode == 0x0c, write = p->opcode >= 0x06;
  uint8_t place = write ? p->opcode - 0x06 : p->opcode; /* FIRST, MIDDLE, LAST, LAST with immediate, ONLY, ONLY with immediate */
  bool first = read || place == 0 || place >= 4, last = read || place >= 2;
  enum message kind = write ? A_WRITE : A_SEND;
  bool continues = qp->message != NO_MESSAGE;
  if (first == continues || (continues && qp->message != kind)) return &invalid;
  if (read) return read_request(nic, qp, p);
  if (write && first && !(qp->attr.value[A_ACCESS] & REMOTE_WRITE)) return &invalid;
  bool takes = write ? p->has_immediate : first;
  if (takes && !qp->receives) {
    qp->rnr_nak = true;
    reply(nic, qp, RNR_NAK | (uint8_t)qp->attr.value[A_MIN_RNR_TIMER], p->psn);
    return NULL;
  }
  if (first) {
    qp->message = kind;
    qp->so_far = 0;
    qp->va = p->va, qp->rkey = p->rkey, qp->announced = p->dma_length;
  }
  if (takes) {
    qp->wr = qp->receives;
    qp->receives = qp->wr->next;
  }
  const struct refusal *refusal = take(nic, qp, p, first, last);
  if (refusal) return refusal;
  qp->epsn = psn_add(qp->epsn, 1);
  if (last) finish(nic, qp, p);
  if (p->ack_requested) reply(nic, qp, ACK, p->psn);
  return NULL;
}

static void refuse(struct nic *nic, struct qp *qp, uint32_t psn, const struct refusal *why) {
  reply(nic, qp, why->syndrome, psn);
  if (qp->wr) {
    complete(nic, qp, qp->wr, (struct wc){.status = why->status});
    qp->wr = NULL;
  } else if (why->event) {
    nic->async_event(why->event, qp->number);
  }
  fail(nic, qp);
}

/* A READ that is remembered, or the end of one: what it asks for must lie inside. */
static void duplicate_read(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  if (p->length) return;
  for (int i = 0; i < qp->read_count; i++) {
    uint32_t skipped = (p->psn - qp->reads[i].psn) & 0xffffff;
    if (skipped >= qp->reads[i].count) continue;
    uint64_t offset = (uint64_t)skipped * qp->attr.value[A_PATH_MTU];
    bool same = p->va == qp->reads[i].va + offset && p->rkey == qp->reads[i].rkey && offset + p->dma_length <= qp->reads[i].length;
    bool usable = !p->dma_length || memory(nic, qp->pd, p->rkey, p->va, p->dma_length, REMOTE_READ);
    if (same && usable && skipped + responses(qp, p->dma_length) <= qp->reads[i].count) answer_read(nic, qp, p);
    return;
  }
}

/* Answered once more, and carried out once only; READs are carried out again. Mistakes in it are dropped. */
static void duplicate(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  if (p->opcode == 0x0c) {
    duplicate_read(nic, qp, p);
    return;
  }
  if (p->opcode > 0x0c || nic->fault == SILENT_DUPLICATE) return;
  if (nic->fault == DUPLICATE_WRITE && p->has_reth) {
    uint8_t *to = memory(nic, qp->pd, p->rkey, p->va, p->length, REMOTE_WRITE);
    if (to) memcpy(to, p->payload, p->length);
  }
  if (p->ack_requested) reply(nic, qp, ACK, psn_add(qp->epsn, 0xffffff));
}

static void request(struct nic *nic, struct qp *qp, const struct roce_packet *p) {
  int32_t behind = psn_behind(p->psn, qp->epsn);
  if (behind > 0) {
    duplicate(nic, qp, p);
    return;
  }
  if (behind < 0) {
    if (qp->sequence_nak || qp->rnr_nak) return;
    qp->sequence_nak = true;
    reply(nic, qp, NAK_SEQUENCE, nic->fault == NAK_PSN ? p->psn : qp->epsn);
    return;
  }
  if (!qp->established) {
    qp->established = true;
    if (qp->state == QPS_RTR) nic->async_event("IBV_EVENT_COMM_EST", qp->number);
  }
  qp->sequence_nak = qp->rnr_nak = false;
  const struct refusal *refusal = execute(nic, qp, p);
  if (refusal) refuse(nic, qp, p->psn, refusal);
}

/* What a header must be like; anything else is dropped silently. */
static bool accepts(const struct nic *nic, const struct qp *qp, const struct roce_packet *p) {
  return (qp->state == QPS_RTR || qp->state == QPS_RTS || qp->state == QPS_SQD) && p->version == 0 && (p->pkey & 0x7fff) == 0x7fff &&
         p->source_ip == nic->peer.ip && p->target_ip == nic->here.ip && p->opcode >> 5 == 0 &&
         !(p->opcode >= ROCE_READ_FIRST && p->opcode <= 0x12);
}

void nic_deliver(struct nic *nic, const uint8_t *frame, size_t length) {
  struct roce_packet packet;
  if (!roce_parse(frame, length, &packet)) return;
  for (struct qp *qp = nic->qps; qp; qp = qp->next)
    if (qp->number == packet.dest_qp && accepts(nic, qp, &packet)) request(nic, qp, &packet);
}
