#include "roce.h"

#include <string.h>

enum { ETH = 14, IP = 20, UDP = 8, BTH = 12, ICRC = 4, UDP_PORT = 4791 };

static uint32_t get(const uint8_t *at, int bytes) {
  uint32_t value = 0;
  while (bytes--) value = value << 8 | *at++;
  return value;
}

static void put(uint8_t *at, int bytes, uint64_t value) {
  while (bytes--) at[bytes] = (uint8_t)value, value >>= 8;
}

static uint16_t checksum(const uint8_t *header) {
  uint32_t total = 0;
  for (int i = 0; i < IP; i += 2) total += get(header + i, 2);
  while (total > 0xffff) total = (total & 0xffff) + (total >> 16);
  return (uint16_t)~total;
}

static uint32_t crc_step(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
}

/* The invariant CRC of an IPv4 packet of `length` bytes, without its ICRC: fields that change on the way count as ones. */
static uint32_t icrc(const uint8_t *ip, size_t length) {
  static uint32_t table[256];
  if (!table[1])
    for (int i = 0; i < 256; i++) table[i] = crc_step((uint32_t)i, 0);
  uint32_t crc = 0xffffffff;
  for (int i = 0; i < 8; i++) crc = crc_step(crc, 0xff);
  for (size_t i = 0; i < length; i++) {
    /* TOS, TTL, the checksums of IP and UDP, and FECN, BECN, reserved */
    bool varies = i == 1 || i == 8 || i == 10 || i == 11 || i == 26 || i == 27 || i == 32;
    crc = crc >> 8 ^ table[(crc ^ (varies ? 0xff : ip[i])) & 0xff];
  }
  return ~crc;
}

static uint32_t get_little(const uint8_t *at) { return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24; }

bool roce_parse(const uint8_t *frame, size_t size, struct roce_packet *p) {
  if (size < ETH + IP + UDP + BTH + ICRC || size > ROCE_FRAME || get(frame + 12, 2) != 0x0800) return false;
  const uint8_t *ip = frame + ETH, *udp = ip + IP, *bth = udp + UDP;
  uint32_t length = get(ip + 2, 2);
  if (ETH + length > size || length < IP + UDP + BTH + ICRC) return false;
  if (ip[0] != 0x45 || ip[9] != 17 || checksum(ip) != 0 || get(ip + 6, 2) & 0x3fff) return false;
  if (get(udp + 2, 2) != UDP_PORT || get(udp + 4, 2) != length - IP) return false;
  if (icrc(ip, length - ICRC) != get_little(ip + length - ICRC)) return false;
  memset(p, 0, sizeof *p);
  p->source_ip = get(ip + 12, 4);
  p->target_ip = get(ip + 16, 4);
  p->opcode = bth[0];
  p->pad = bth[1] >> 4 & 3;
  p->version = bth[1] & 15;
  p->pkey = (uint16_t)get(bth + 2, 2);
  p->dest_qp = get(bth + 5, 3);
  p->ack_requested = bth[8] >> 7;
  p->psn = get(bth + 9, 3);
  const uint8_t *at = bth + BTH, *end = ip + length - ICRC;
  p->has_reth = p->opcode == 0x06 || (p->opcode >= 0x0a && p->opcode <= 0x0c);
  p->has_immediate = p->opcode == 0x03 || p->opcode == 0x05 || p->opcode == 0x09 || p->opcode == 0x0b;
  if (end - at < (p->has_reth ? 16 : 0) + (p->has_immediate ? 4 : 0) + p->pad) return false;
  if (p->has_reth) {
    p->va = (uint64_t)get(at, 4) << 32 | get(at + 4, 4);
    p->rkey = get(at + 8, 4);
    p->dma_length = get(at + 12, 4);
    at += 16;
  }
  if (p->has_immediate) {
    p->immediate = get(at, 4);
    at += 4;
  }
  p->payload = at;
  p->length = (uint32_t)(end - at) - p->pad;
  return true;
}

size_t roce_response(uint8_t *frame, const struct roce_end *from, const struct roce_end *to, uint8_t opcode,
                     uint32_t dest_qp, uint32_t psn, int64_t aeth, const uint8_t *payload, uint32_t length) {
  uint32_t pad = -length & 3, extension = aeth < 0 ? 0 : 4;
  uint32_t whole = IP + UDP + BTH + extension + length + pad + ICRC;
  uint8_t *ip = frame + ETH, *udp = ip + IP, *bth = udp + UDP;
  memset(frame, 0, ETH + whole);
  memcpy(frame, to->mac, 6);
  memcpy(frame + 6, from->mac, 6);
  put(frame + 12, 2, 0x0800);
  put(ip, 2, 0x4500);
  put(ip + 2, 2, whole);
  put(ip + 6, 2, 0x4000); /* don't fragment */
  put(ip + 8, 2, 64 << 8 | 17);
  put(ip + 12, 4, from->ip);
  put(ip + 16, 4, to->ip);
  put(ip + 10, 2, checksum(ip));
  put(udp, 2, 0xc000 | (dest_qp & 0x3fff));
  put(udp + 2, 2, UDP_PORT);
  put(udp + 4, 2, whole - IP);
  bth[0] = opcode;
  bth[1] = (uint8_t)(0x40 | pad << 4); /* MigReq */
  put(bth + 2, 2, 0xffff);
  put(bth + 5, 3, dest_qp);
  put(bth + 9, 3, psn);
  if (extension) put(bth + BTH, 4, (uint64_t)aeth);
  if (length) memcpy(bth + BTH + extension, payload, length);
  uint32_t crc = icrc(ip, whole - ICRC);
  for (int i = 0; i < 4; i++) ip[whole - ICRC + i] = (uint8_t)(crc >> 8 * i);
  return ETH + whole;
}
