/* RoCEv2 packets over IPv4, as far as an RC responder needs them: read, check, write. */
#ifndef ROCE_H
#define ROCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ROCE_FRAME = 9216, ROCE_ACKNOWLEDGE = 0x11, ROCE_READ_FIRST = 0x0d, ROCE_READ_MIDDLE, ROCE_READ_LAST, ROCE_READ_ONLY };

/* A request as it came in. `payload` is without the `pad` bytes. */
struct roce_packet {
  uint32_t source_ip, target_ip;
  uint8_t opcode, pad, version;
  uint16_t pkey;
  uint32_t dest_qp, psn;
  bool ack_requested, has_reth, has_immediate;
  uint64_t va;
  uint32_t rkey, dma_length, immediate;
  const uint8_t *payload;
  uint32_t length;
};

struct roce_end {
  uint8_t mac[6];
  uint32_t ip;
};

/* False where the frame is no sound packet of RoCEv2 over IPv4. `into` points into the frame. */
bool roce_parse(const uint8_t *frame, size_t length, struct roce_packet *into);

/* A response, into a buffer of ROCE_FRAME bytes; its length. `aeth` is syndrome << 24 | MSN, or negative for none. */
size_t roce_response(uint8_t *frame, const struct roce_end *from, const struct roce_end *to, uint8_t opcode,
                     uint32_t dest_qp, uint32_t psn, int64_t aeth, const uint8_t *payload, uint32_t length);

static inline uint32_t psn_add(uint32_t psn, uint32_t n) { return (psn + n) & 0xffffff; }

/* How far `psn` is behind `expected`: negative where it is ahead. */
static inline int32_t psn_behind(uint32_t psn, uint32_t expected) {
  uint32_t distance = (expected - psn) & 0xffffff;
  return distance <= 0x800000 ? (int32_t)distance : (int32_t)distance - 0x1000000;
}

#ifdef __cplusplus
}
#endif
#endif
