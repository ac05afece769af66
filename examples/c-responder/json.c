#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of the line that was read last. */
static struct json **nodes;
static size_t used, made;

static struct json *node(enum json_kind kind) {
  if (used == made) {
    made = made ? 2 * made : 64;
    nodes = realloc(nodes, made * sizeof *nodes);
    for (size_t i = used; i < made; i++) nodes[i] = malloc(sizeof **nodes);
  }
  struct json *fresh = nodes[used++];
  memset(fresh, 0, sizeof *fresh);
  fresh->kind = kind;
  return fresh;
}

static char *blanks(char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

/* From behind the first quote. Escapes are resolved in place; \u only below 0x80, which is all that the protocol sends. */
static char *string(char *at, const char **text) {
  char *to = at;
  *text = at;
  for (; *at && *at != '"'; at++) {
    if (*at != '\\') {
      *to++ = *at;
      continue;
    }
    switch (*++at) {
    case 'n': *to++ = '\n'; break;
    case 't': *to++ = '\t'; break;
    case 'u': {
      unsigned code = 0;
      if (sscanf(at + 1, "%4x", &code) != 1) return NULL;
      *to++ = (char)code;
      at += 4;
      break;
    }
    case 0: return NULL;
    default: *to++ = *at;
    }
  }
  if (*at != '"') return NULL;
  *to = 0;
  return at + 1;
}

static char *value(char *at, struct json **into);

static char *members(char *at, struct json *parent, char end) {
  struct json **last = &parent->child;
  at = blanks(at);
  if (*at == end) return at + 1;
  for (;;) {
    const char *key = NULL;
    at = blanks(at);
    if (parent->kind == JSON_OBJECT) {
      if (*at != '"' || !(at = string(at + 1, &key))) return NULL;
      at = blanks(at);
      if (*at++ != ':') return NULL;
    }
    if (!(at = value(at, last))) return NULL;
    (*last)->key = key;
    last = &(*last)->next;
    at = blanks(at);
    if (*at == end) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static char *value(char *at, struct json **into) {
  at = blanks(at);
  if (*at == '{') return members(at + 1, *into = node(JSON_OBJECT), '}');
  if (*at == '[') return members(at + 1, *into = node(JSON_LIST), ']');
  if (*at == '"') return string(at + 1, &(*into = node(JSON_STRING))->text);
  if (!strncmp(at, "null", 4)) return *into = node(JSON_NULL), at + 4;
  if (!strncmp(at, "true", 4)) return *into = node(JSON_TRUE), at + 4;
  if (!strncmp(at, "false", 5)) return *into = node(JSON_FALSE), at + 5;
  if (*at != '-' && !isdigit((unsigned char)*at)) return NULL;
  (*into = node(JSON_NUMBER))->text = at;
  while (*at && strchr("+-.eE0123456789", *at)) at++;
  return at;
}

const struct json *json_read(char *line) {
  struct json *tree = NULL;
  used = 0;
  return value(line, &tree) ? tree : NULL;
}

const struct json *json_get(const struct json *object, const char *key) {
  const struct json *member = object ? object->child : NULL;
  while (member && !(member->key && !strcmp(member->key, key))) member = member->next;
  return member;
}

bool json_has(const struct json *object, const char *key) { return json_get(object, key) != NULL; }

const char *json_text(const struct json *object, const char *key) {
  const struct json *member = json_get(object, key);
  return member && member->text ? member->text : "";
}

uint64_t json_u64(const struct json *object, const char *key) { return strtoull(json_text(object, key), NULL, 10); }
int64_t json_i64(const struct json *object, const char *key) { return strtoll(json_text(object, key), NULL, 10); }

bool json_bool(const struct json *object, const char *key) {
  const struct json *member = json_get(object, key);
  return member && member->kind == JSON_TRUE;
}

size_t json_print(const struct json *value, char *into, size_t size) {
  size_t at = 0;
#define PUT(...) at += (size_t)snprintf(into + (at < size ? at : size), at < size ? size - at : 0, __VA_ARGS__)
  switch (value->kind) {
  case JSON_NULL: PUT("null"); break;
  case JSON_TRUE: PUT("true"); break;
  case JSON_FALSE: PUT("false"); break;
  case JSON_NUMBER: PUT("%.*s", (int)strspn(value->text, "+-.eE0123456789"), value->text); break;
  case JSON_STRING: PUT("\"%s\"", value->text); break;
  case JSON_LIST:
  case JSON_OBJECT:
    PUT(value->kind == JSON_LIST ? "[" : "{");
    for (const struct json *member = value->child; member; member = member->next) {
      if (member->key) PUT("\"%s\":", member->key);
      if (at < size) at += json_print(member, into + at, size - at);
      if (member->next) PUT(",");
    }
    PUT(value->kind == JSON_LIST ? "]" : "}");
  }
#undef PUT
  return at;
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_decode(const char *text, uint8_t *into) {
  size_t length = 0;
  uint32_t bits = 0;
  int count = 0;
  for (; *text && *text != '='; text++) {
    const char *digit = strchr(digits, *text);
    if (!digit) continue;
    bits = bits << 6 | (uint32_t)(digit - digits);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    into[length++] = (uint8_t)(bits >> count);
  }
  return length;
}

void base64_encode(const uint8_t *bytes, size_t length, char *into) {
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    uint32_t bits = (uint32_t)bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    *into++ = digits[bits >> 18];
    *into++ = digits[bits >> 12 & 63];
    *into++ = left > 1 ? digits[bits >> 6 & 63] : '=';
    *into++ = left > 2 ? digits[bits & 63] : '=';
  }
  *into = 0;
}
