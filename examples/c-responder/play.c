/* A bench that plays vectors of `rdma-conform vectors DIR` on the NIC, without rdma-conform: reads one from stdin, and writes the
 * trace of what happened to stdout.
 *
 *     ./play <vectors/00001-rc-responder-send.ndjson >trace.ndjson && npx rdma-conform judge trace.ndjson
 *
 * A line of a vector is a line of the trace, without what the device does. The bench does what the line says, writes the line, and
 * behind it what the device did. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "nic.h"

static unsigned long long now; /* time of the line that is played, in nanoseconds */
static FILE *doings;           /* what the device does while a line is played */
static char text[1 << 15];

void device_sends(const uint8_t *frame, size_t length) {
  base64_encode(frame, length, text);
  fprintf(doings, "{\"kind\":\"frame\",\"t\":%llu,\"direction\":\"from-dut\",\"frame\":\"%s\"}\n", now, text);
}

void device_cq_event(int cq) { (void)cq; } /* the CQs are polled */

void device_async_event(const char *type, uint32_t qp_num) {
  fprintf(doings, "{\"kind\":\"async\",\"t\":%llu,\"event\":{\"event_type\":\"%s\",\"qp_num\":%u}}\n", now, type, qp_num);
}

/* All completions that there are, of all CQs. */
static void poll(char *result) {
  char args[64];
  for (struct cq *cq = device_nic()->cqs; cq; cq = cq->next) {
    snprintf(args, sizeof args, "{\"cq\":%d,\"max\":1000}", cq->handle);
    device_call("poll_cq", json_read(args), result);
    for (const struct json *wc = json_read(result)->child; wc; wc = wc->next) {
      json_print(wc, text, sizeof text);
      fprintf(doings, "{\"kind\":\"completion\",\"t\":%llu,\"cq\":%d,\"wc\":%s}\n", now, cq->handle, text);
    }
  }
}

/* Handles, keys, addresses and QP numbers are those of the vector. A PD is made when its number is first met. */
static void prepare(const char *call, const struct json *line) {
  struct nic *nic = device_nic();
  int pd = (int)json_i64(line, "pd");
  if (pd && !nic_pd(nic, pd)) {
    nic->handles = pd - 1;
    nic_alloc_pd(nic);
  }
  const char *made = !strcmp(call, "reg_mr") ? "mr" : !strcmp(call, "create_cq") ? "cq" : "qp";
  if (json_has(line, made)) nic->handles = (int)json_i64(line, made) - 1;
  if (json_has(line, "qp_num")) nic->numbers = (uint32_t)json_u64(line, "qp_num") - 1;
  if (json_has(line, "addr")) nic->next_addr = json_u64(line, "addr");
  if (json_has(line, "rkey")) nic->keys = (uint32_t)json_u64(line, "rkey") - 0x100;
}

/* Carries a call out; its line, with what it returned. */
static void call(const struct json *line, const char *as_read, char *result) {
  const char *name = json_text(line, "call");
  prepare(name, line);
  strcpy(result, "null");
  int error = device_call(name, line, result);
  if (error == EOPNOTSUPP) return; /* the NIC has no such call, and the trace none of it */
  size_t length = strcspn(as_read, "\n");
  if (error) {
    const char *attempted = strstr(as_read, "\"call\":");
    printf("{\"kind\":\"call-failed\",\"t\":%llu,\"start\":%llu,\"errno\":%d,\"call\":\"%s\",", now,
           (unsigned long long)json_u64(line, "start"), error, name);
    if (json_has(line, "qp")) printf("\"qp\":%lld,", (long long)json_i64(line, "qp"));
    printf("\"attempted\":{%.*s}\n", (int)(length - (size_t)(attempted - as_read)), attempted);
  } else if (!strcmp(name, "query_qp")) {
    printf("%.*s,\"attr\":%s}\n", (int)length - 1, as_read, result);
  } else {
    printf("%.*s\n", (int)length, as_read);
  }
}

/* Bytes of a region, which the line asks for by offset and length. */
static void memory(const struct json *line, char *result) {
  if (device_call("read_memory", line, result)) return;
  printf("{\"kind\":\"memory\",\"t\":%llu,\"mr\":%lld,\"offset\":%lld,\"bytes\":%s}\n", now, (long long)json_i64(line, "mr"),
         (long long)json_i64(line, "offset"), result);
}

int main(int argc, char **argv) {
  if (!device_reset(argc == 3 && !strcmp(argv[1], "--fault") ? argv[2] : NULL)) return 64;
  static char result[DEVICE_RESULT], as_read[DEVICE_RESULT], done[DEVICE_RESULT];
  while (fgets(as_read, sizeof as_read, stdin)) {
    char *copy = strdup(as_read);
    const struct json *line = json_read(copy);
    const char *kind = json_text(line, "kind");
    if (json_has(line, "vector")) {
      free(copy);
      continue;
    }
    now = json_u64(line, "t");
    memset(done, 0, 1);
    doings = fmemopen(done, sizeof done, "w");
    if (!strcmp(kind, "call")) call(line, as_read, result);
    else if (!strcmp(kind, "memory")) memory(line, result);
    else if (strcmp(kind, "settled")) fputs(as_read, stdout); /* a frame, or the header of the trace */
    if (!strcmp(kind, "frame")) device_call("deliver", line, result);
    poll(result);
    fclose(doings);
    fputs(done, stdout);
    if (!strcmp(kind, "settled")) fputs(as_read, stdout); /* all that was to come was seen */
    free(copy);
  }
  return 0;
}
