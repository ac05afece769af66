/* The calls of the device: JSON in, the NIC of nic.h, JSON out. Put your own NIC in its place, call by call. */
#include "device.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nic.h"

static struct nic nic = {
  .here = {{2, 0, 0, 0, 0, 1}, 0x0a000001},
  .peer = {{2, 0, 0, 0, 0, 2}, 0x0a000002},
  .send = device_sends,
  .cq_event = device_cq_event,
  .async_event = device_async_event,
};

const char *device_greeting(void) {
  return "\"profile\":{\"name\":\"c-responder\",\"version\":\"1\",\"capabilities\":[\"rc\"],"
         "\"pathMtus\":[256,512,1024,2048,4096],\"ipVersions\":[4],"
         "\"limits\":{\"maxDestRdAtomic\":16,\"maxMessageBytes\":1048576,\"maxQps\":1024},"
         /* nanoseconds; on virtual time this device answers at once */
         "\"clock\":\"virtual\",\"responseTime\":1000,\"concurrency\":1},"
         "\"dut\":{\"mac\":\"02:00:00:00:00:01\",\"ipv4\":\"10.0.0.1\",\"gidIndex\":{\"ipv4\":0}},"
         "\"peer\":{\"mac\":\"02:00:00:00:00:02\",\"ipv4\":\"10.0.0.2\",\"gidIndex\":{\"ipv4\":0}}";
}

struct nic *device_nic(void) { return &nic; }

int device_reset(const char *fault) {
  static const char *const faults[] = {NULL, "nak-psn", "duplicate-write", "silent-duplicate"};
  nic_reset(&nic);
  for (int i = 0; i < 4; i++) {
    if (fault ? !faults[i] || strcmp(fault, faults[i]) : i > 0) continue;
    nic.fault = (enum fault)i;
    return 1;
  }
  return 0;
}

/* Words and numbers */

static const char *const states[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
static const char *const rights[] = {"LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"};
static const char *const migration[] = {"MIGRATED", "REARM", "ARMED"};
static const char *const names[A_COUNT] = {
  "qp_state", "cur_qp_state", "en_sqd_async_notify", "qp_access_flags", "pkey_index", "port_num", "qkey", "ah_attr", "path_mtu",
  "timeout", "retry_cnt", "rnr_retry", "rq_psn", "max_rd_atomic", "alt_ah_attr", "alt_pkey_index", "alt_port_num", "alt_timeout",
  "min_rnr_timer", "sq_psn", "max_dest_rd_atomic", "path_mig_state", "dest_qp_num"};
/* Addresses as they were given, by handle of their QP: this device sends to its peer, whatever they say. */
static char addresses[1024][2][200];

/* The place of a word in its list, behind its prefix, e.g. IBV_QPS_RTS; -1 if it is not there. */
static int word(const char *text, const char *prefix, const char *const *list, int count) {
  size_t skipped = strlen(prefix);
  if (strncmp(text, prefix, skipped)) return -1;
  while (count-- > 0)
    if (!strcmp(text + skipped, list[count])) return count;
  return -1;
}

static uint32_t access_of(const struct json *list) {
  uint32_t access = 0;
  for (const struct json *flag = list ? list->child : NULL; flag; flag = flag->next) {
    int at = word(flag->text, "IBV_ACCESS_", rights, 4);
    if (at >= 0) access |= 1u << at;
  }
  return access;
}

static char *put(char *at, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsprintf(at, format, values);
  va_end(values);
  return at + length;
}

/* Attributes of a QP, from JSON and to it. */

static int attr_of(const struct json *object, int handle, struct qp_attr *attr) {
  memset(attr, 0, sizeof *attr);
  for (const struct json *member = object->child; member; member = member->next) {
    int at = word(member->key, "", names, A_COUNT), value;
    if (at < 0) return EINVAL;
    if (at == A_QP_STATE || at == A_CUR_QP_STATE) value = word(member->text, "IBV_QPS_", states, 7);
    else if (at == A_PATH_MIG_STATE) value = word(member->text, "IBV_MIG_", migration, 3);
    else if (at == A_ACCESS) value = (int)access_of(member);
    else if (at == A_EN_SQD_ASYNC_NOTIFY) value = member->kind == JSON_TRUE;
    else if (at == A_AH || at == A_ALT_AH) value = (int)json_print(member, addresses[handle % 1024][at == A_ALT_AH], 200);
    else value = (int)strtoul(member->text, NULL, 10);
    attr->given |= 1u << at;
    attr->value[at] = (uint32_t)value;
  }
  return 0;
}

static void print_attr(const struct qp_attr *attr, int handle, char *at) {
  const char *comma = "{";
  for (int i = 0; i < A_COUNT; i++) {
    if (!(attr->given >> i & 1)) continue;
    uint32_t value = attr->value[i];
    at = put(at, "%s\"%s\":", comma, names[i]);
    comma = ",";
    if (i == A_QP_STATE || i == A_CUR_QP_STATE) at = put(at, "\"IBV_QPS_%s\"", states[value]);
    else if (i == A_PATH_MIG_STATE) at = put(at, "\"IBV_MIG_%s\"", migration[value]);
    else if (i == A_AH || i == A_ALT_AH) at = put(at, "%s", addresses[handle % 1024][i == A_ALT_AH]);
    else if (i == A_ACCESS) {
      const char *before = "[";
      for (int bit = 0; bit < 4; bit++)
        if (value >> bit & 1) at = put(at, "%s\"IBV_ACCESS_%s\"", before, rights[bit]), before = ",";
      at = put(at, *before == '[' ? "[]" : "]");
    } else at = put(at, "%u", value);
  }
  put(at, "}");
}

/* Calls: each gives 0 or an errno. An unknown handle is refused with EINVAL. */

typedef const struct json *args_t;
#define OBJECT(type, name) \
  struct type *name = nic_##type(&nic, (int)json_i64(args, #name)); \
  if (!name) return EINVAL
#define CQ(cq_name) \
  struct cq *cq_name = nic_cq(&nic, (int)json_i64(args, #cq_name)); \
  if (!cq_name) return EINVAL

static int alloc_pd(args_t args, char *result) {
  (void)args;
  put(result, "%d", nic_alloc_pd(&nic)->handle);
  return 0;
}

static int dealloc_pd(args_t args, char *result) {
  OBJECT(pd, pd);
  return (void)result, nic_dealloc_pd(&nic, pd);
}

static int reg_mr(args_t args, char *result) {
  OBJECT(pd, pd);
  struct mr *mr;
  int error = nic_reg_mr(&nic, pd, (uint32_t)json_u64(args, "length"), access_of(json_get(args, "access")), &mr);
  if (error) return error;
  put(result, "{\"mr\":%d,\"addr\":\"%llu\",\"lkey\":%u,\"rkey\":%u}", mr->handle, (unsigned long long)mr->addr, mr->key, mr->key);
  return 0;
}

static int dereg_mr(args_t args, char *result) {
  OBJECT(mr, mr);
  return (void)result, nic_dereg_mr(&nic, mr);
}

static int read_memory(args_t args, char *result) {
  OBJECT(mr, mr);
  int64_t offset = json_i64(args, "offset"), length = json_i64(args, "length");
  if (offset < -NIC_GUARD || length < 0 || offset + length > (int64_t)mr->length + NIC_GUARD) return EINVAL;
  *result = '"';
  base64_encode(mr->bytes + NIC_GUARD + offset, (size_t)length, result + 1);
  strcat(result, "\"");
  return 0;
}

static int write_memory(args_t args, char *result) {
  OBJECT(mr, mr);
  const char *bytes = json_text(args, "bytes");
  int64_t offset = json_i64(args, "offset");
  uint8_t *data = malloc(strlen(bytes) + 1);
  size_t length = base64_decode(bytes, data);
  bool inside = offset >= 0 && offset + (int64_t)length <= (int64_t)mr->length;
  if (inside) memcpy(mr->bytes + NIC_GUARD + offset, data, length);
  free(data);
  return (void)result, inside ? 0 : EINVAL;
}

static int create_cq(args_t args, char *result) {
  (void)args;
  put(result, "%d", nic_create_cq(&nic)->handle);
  return 0;
}

static int destroy_cq(args_t args, char *result) {
  OBJECT(cq, cq);
  return (void)result, nic_destroy_cq(&nic, cq);
}

static int poll_cq(args_t args, char *result) {
  OBJECT(cq, cq);
  char *at = put(result, "[");
  for (int left = (int)json_i64(args, "max"); left > 0; left--) {
    struct wc *wc = nic_poll_cq(cq);
    if (!wc) break;
    at = put(at, "%s{\"wr_id\":%lld,\"status\":\"%s\",\"qp_num\":%u", at[-1] == '[' ? "" : ",", (long long)wc->wr_id, wc->status, wc->qp_num);
    if (wc->opcode) at = put(at, ",\"opcode\":\"%s\",\"byte_len\":%u", wc->opcode, wc->byte_len);
    if (wc->with_imm) at = put(at, ",\"imm_data\":%u", wc->imm_data);
    at = put(at, "}");
    free(wc);
  }
  put(at, "]");
  return 0;
}

static int req_notify_cq(args_t args, char *result) {
  OBJECT(cq, cq);
  return (void)result, cq->armed = true, 0;
}

static int create_qp(args_t args, char *result) {
  OBJECT(pd, pd);
  CQ(send_cq);
  CQ(recv_cq);
  if (strcmp(json_text(args, "qp_type"), "IBV_QPT_RC") || json_has(args, "srq") || json_bool(args, "ooo")) return EINVAL;
  args_t cap = json_has(args, "cap") ? json_get(args, "cap") : args; /* a trace has both in one */
  int max_recv_wr = (int)json_i64(cap, "max_recv_wr"), max_recv_sge = (int)json_i64(cap, "max_recv_sge");
  if (max_recv_sge > NIC_MAX_SGE) return EINVAL;
  struct qp *qp = nic_create_qp(&nic, pd, send_cq, recv_cq, max_recv_wr, max_recv_sge);
  put(result, "{\"qp\":%d,\"qp_num\":%u}", qp->handle, qp->number);
  return 0;
}

static int modify_qp(args_t args, char *result) {
  OBJECT(qp, qp);
  struct qp_attr attr;
  int error = attr_of(json_get(args, "attr"), qp->handle, &attr);
  return (void)result, error ? error : nic_modify_qp(&nic, qp, &attr);
}

static int query_qp(args_t args, char *result) {
  OBJECT(qp, qp);
  struct qp_attr attr = nic_query_qp(qp);
  print_attr(&attr, qp->handle, result);
  return 0;
}

static int destroy_qp(args_t args, char *result) {
  OBJECT(qp, qp);
  return (void)result, nic_destroy_qp(&nic, qp);
}

static int post_recv(args_t args, char *result) {
  OBJECT(qp, qp);
  args_t wr = json_get(args, "wr");
  struct recv_wr *made = calloc(1, sizeof *made);
  made->wr_id = json_i64(wr, "wr_id");
  int error = 0;
  for (args_t sge = json_get(wr, "sg_list")->child; sge; sge = sge->next) {
    if (made->num_sge == NIC_MAX_SGE) {
      error = EINVAL;
      break;
    }
    made->sg_list[made->num_sge++] = (struct sge){json_u64(sge, "addr"), (uint32_t)json_u64(sge, "length"), (uint32_t)json_u64(sge, "lkey")};
  }
  if (!error) error = nic_post_recv(&nic, qp, made);
  if (error) free(made);
  return (void)result, error;
}

static int deliver(args_t args, char *result) {
  static uint8_t frame[1 << 17];
  const char *text = json_text(args, "frame");
  if (strlen(text) < sizeof frame) nic_deliver(&nic, frame, base64_decode(text, frame));
  return (void)result, 0;
}

static const struct {
  const char *name;
  int (*run)(args_t args, char *result);
} calls[] = {
  {"alloc_pd", alloc_pd}, {"dealloc_pd", dealloc_pd}, {"reg_mr", reg_mr}, {"dereg_mr", dereg_mr},
  {"read_memory", read_memory}, {"write_memory", write_memory}, {"create_cq", create_cq}, {"destroy_cq", destroy_cq},
  {"poll_cq", poll_cq}, {"req_notify_cq", req_notify_cq}, {"create_qp", create_qp}, {"modify_qp", modify_qp},
  {"query_qp", query_qp}, {"destroy_qp", destroy_qp}, {"post_recv", post_recv}, {"deliver", deliver},
};

int device_call(const char *name, const struct json *args, char *result) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (!strcmp(calls[i].name, name)) return calls[i].run(args, result);
  return EOPNOTSUPP;
}
