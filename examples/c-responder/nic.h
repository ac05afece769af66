/* A small NIC: the responder of reliable connections, with SEND, RDMA WRITE and RDMA READ over IPv4. No requester, no atomics,
 * no shared receive queues, no timers. Calls have the names of libibverbs; they give 0, or an errno. */
#ifndef NIC_H
#define NIC_H

#include "roce.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NIC_GUARD = 64, NIC_MAX_SGE = 64 };
enum access { LOCAL_WRITE = 1, REMOTE_WRITE = 2, REMOTE_READ = 4, REMOTE_ATOMIC = 8 };
enum qp_state { QPS_RESET, QPS_INIT, QPS_RTR, QPS_RTS, QPS_SQD, QPS_SQE, QPS_ERR };

/* Attributes of a QP by number; addresses (ah_attr) are only known to be given. */
enum attr {
  A_QP_STATE, A_CUR_QP_STATE, A_EN_SQD_ASYNC_NOTIFY, A_ACCESS, A_PKEY_INDEX, A_PORT_NUM, A_QKEY, A_AH, A_PATH_MTU, A_TIMEOUT,
  A_RETRY_CNT, A_RNR_RETRY, A_RQ_PSN, A_MAX_RD_ATOMIC, A_ALT_AH, A_ALT_PKEY_INDEX, A_ALT_PORT_NUM, A_ALT_TIMEOUT,
  A_MIN_RNR_TIMER, A_SQ_PSN, A_MAX_DEST_RD_ATOMIC, A_PATH_MIG_STATE, A_DEST_QP_NUM, A_COUNT
};

struct qp_attr {
  uint32_t given; /* 1 << A_... */
  uint32_t value[A_COUNT];
};

struct sge {
  uint64_t addr;
  uint32_t length, lkey;
};

struct recv_wr {
  struct recv_wr *next;
  int64_t wr_id;
  int num_sge;
  struct sge sg_list[NIC_MAX_SGE];
};

struct wc {
  struct wc *next;
  int64_t wr_id;
  const char *status, *opcode; /* opcode: NULL unless it succeeded */
  uint32_t qp_num, byte_len, imm_data;
  bool with_imm;
};

struct pd {
  struct pd *next;
  int handle;
};

struct mr {
  struct mr *next;
  int handle;
  struct pd *pd;
  uint64_t addr;
  uint32_t length, key, access;
  uint8_t *bytes; /* NIC_GUARD bytes on either side belong to nobody */
};

struct cq {
  struct cq *next;
  int handle;
  struct wc *first, *last;
  bool armed;
};

enum message { NO_MESSAGE, A_SEND, A_WRITE };

struct qp {
  struct qp *next;
  int handle;
  uint32_t number;
  struct pd *pd;
  struct cq *send_cq, *recv_cq;
  int max_recv_wr, max_recv_sge;
  enum qp_state state;
  struct qp_attr attr;
  uint32_t epsn, msn;
  struct recv_wr *receives;
  bool sequence_nak, rnr_nak, established;
  /* the message of which packets are still to come */
  enum message message;
  struct recv_wr *wr;
  uint32_t so_far, announced, rkey;
  uint64_t va;
  /* READs that may be asked for again, the newest last */
  struct { uint32_t psn, count, rkey, length; uint64_t va; } reads[16];
  int read_count;
};

enum fault { NO_FAULT, NAK_PSN, DUPLICATE_WRITE, SILENT_DUPLICATE };

struct nic {
  struct roce_end here, peer;
  enum fault fault;
  struct pd *pds;
  struct mr *mrs;
  struct cq *cqs;
  struct qp *qps;
  int handles;
  uint32_t numbers, keys;
  uint64_t next_addr;
  /* what the NIC does of itself */
  void (*send)(const uint8_t *frame, size_t length);
  void (*cq_event)(int cq);
  void (*async_event)(const char *type, uint32_t qp_num);
};

void nic_reset(struct nic *nic);
struct pd *nic_pd(struct nic *nic, int handle);
struct mr *nic_mr(struct nic *nic, int handle);
struct cq *nic_cq(struct nic *nic, int handle);
struct qp *nic_qp(struct nic *nic, int handle);

struct pd *nic_alloc_pd(struct nic *nic);
int nic_dealloc_pd(struct nic *nic, struct pd *pd);
int nic_reg_mr(struct nic *nic, struct pd *pd, uint32_t length, uint32_t access, struct mr **made);
int nic_dereg_mr(struct nic *nic, struct mr *mr);
struct cq *nic_create_cq(struct nic *nic);
int nic_destroy_cq(struct nic *nic, struct cq *cq);
/* The oldest completion, to be freed; NULL if there is none. */
struct wc *nic_poll_cq(struct cq *cq);
struct qp *nic_create_qp(struct nic *nic, struct pd *pd, struct cq *send_cq, struct cq *recv_cq, int max_recv_wr,
                         int max_recv_sge);
int nic_modify_qp(struct nic *nic, struct qp *qp, const struct qp_attr *attr);
struct qp_attr nic_query_qp(const struct qp *qp);
int nic_destroy_qp(struct nic *nic, struct qp *qp);
/* Takes `wr`, which malloc made, if it gives 0. */
int nic_post_recv(struct nic *nic, struct qp *qp, struct recv_wr *wr);
/* A frame arrives at the port. */
void nic_deliver(struct nic *nic, const uint8_t *frame, size_t length);

#ifdef __cplusplus
}
#endif
#endif
