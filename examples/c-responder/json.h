/* JSON as the protocol needs it: one object a line is read into a tree that lives until the next line is read. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum json_kind { JSON_NULL, JSON_TRUE, JSON_FALSE, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT };

struct json {
  enum json_kind kind;
  const char *key;  /* in an object */
  const char *text; /* digits of a number, characters of a string */
  struct json *child, *next;
};

/* Changes `line`. NULL if it is no JSON. */
const struct json *json_read(char *line);

/* NULL where there is no such key. */
const struct json *json_get(const struct json *object, const char *key);
bool json_has(const struct json *object, const char *key);

/* A number, or a decimal string; 0 if it is missing. */
uint64_t json_u64(const struct json *object, const char *key);
int64_t json_i64(const struct json *object, const char *key);
bool json_bool(const struct json *object, const char *key);
/* "" if it is missing */
const char *json_text(const struct json *object, const char *key);
/* The tree as text again, in at most `size` bytes. */
size_t json_print(const struct json *value, char *into, size_t size);

/* Bytes of a base64 string, into a buffer of 3/4 of its length; their number. */
size_t base64_decode(const char *text, uint8_t *into);
/* Characters with their end, into a buffer of 4/3 of `length` and 5 more. */
void base64_encode(const uint8_t *bytes, size_t length, char *into);

#ifdef __cplusplus
}
#endif
#endif
