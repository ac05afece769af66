/* What a device fills in: its greeting, and its calls. `stdio.c` speaks the protocol with them. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call is JSON text of at most this size: a whole region of 1 MiB in base64 fits. */
enum { DEVICE_RESULT = 1 << 21 };

/* Keys of the answer to `hello`, without braces: profile, dut, peer. */
const char *device_greeting(void);
/* As new. `fault`: NULL, or the name of the one thing that it does wrong; 0 where there is no such fault. */
int device_reset(const char *fault);
/* Carries a call out. 0, with JSON text in `result`; or an errno. */
int device_call(const char *name, const struct json *args, char *result);
/* The NIC behind the calls, for a bench that chooses handles and numbers itself. */
struct nic;
struct nic *device_nic(void);

/* What the device does of itself; the program around it says what becomes of it. */
void device_sends(const uint8_t *frame, size_t length);
void device_cq_event(int cq);
void device_async_event(const char *type, uint32_t qp_num);

#ifdef __cplusplus
}
#endif
#endif
