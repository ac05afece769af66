/* The protocol of `rdma-conform --adapter stdio:COMMAND` for a device on virtual time without timers: one JSON object a line.
 * Nothing here knows RDMA. stdout belongs to the protocol; stderr is free. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static char text[1 << 15];

void device_sends(const uint8_t *frame, size_t length) {
  base64_encode(frame, length, text);
  printf("{\"frame\":\"%s\"}\n", text);
}

void device_cq_event(int cq) { printf("{\"cq\":%d}\n", cq); }

void device_async_event(const char *type, uint32_t qp_num) {
  printf("{\"async\":{\"event_type\":\"%s\",\"qp_num\":%u}}\n", type, qp_num);
}

int main(int argc, char **argv) {
  const char *fault = argc == 3 && !strcmp(argv[1], "--fault") ? argv[2] : NULL;
  if ((argc > 1 && !fault) || !device_reset(fault)) {
    fprintf(stderr, "usage: %s [--fault NAME]\n", argv[0]);
    return 64;
  }
  char *line = NULL, *result = malloc(DEVICE_RESULT);
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    const struct json *message = json_read(line), *args = json_get(message, "args");
    const char *call = json_text(message, "call");
    long long id = json_i64(message, "id");
    if (!strcmp(call, "hello")) {
      printf("{\"id\":%lld,\"ok\":{\"protocol\":3,%s}}\n", id, device_greeting());
    } else if (!strcmp(call, "reset")) {
      device_reset(fault);
      printf("{\"id\":%lld,\"ok\":null}\n", id);
    } else if (!strcmp(call, "advance")) {
      printf("{\"id\":%lld,\"ok\":{\"now\":%lld,\"next\":null}}\n", id, (long long)json_i64(args, "to"));
    } else {
      strcpy(result, "null");
      int error = device_call(call, args, result);
      if (error)
        printf("{\"id\":%lld,\"error\":{\"call\":\"%s\",\"message\":\"%s\",\"errno\":%d}}\n", id, call, strerror(error), error);
      else
        printf("{\"id\":%lld,\"ok\":%s}\n", id, result);
    }
    fflush(stdout);
  }
  return 0;
}
