#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 64
#define MAYBE __attribute__((unused)) /* not every case needs it */

static struct ibv_context *ctx;
static struct ibv_pd *pd[MOST];
static struct { unsigned char *mem; size_t length; uint32_t lkey, rkey; struct ibv_mr *mr; } region[MOST];
static struct ibv_cq *cq[MOST];
static struct ibv_srq *srq;
static struct ibv_qp *qp;
static struct ibv_ah *ah[MOST];
MAYBE static int wire, cqs, packets, completions, events;
/* hold: completions are left in their CQ until so many are due */
MAYBE static int hold, due;

MAYBE static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

/* Time of a line that is printed, in ms since the first one. */
MAYBE static double stamp(void)
{
	static uint64_t start;

	if (!start)
		start = now();
	return (now() - start) / 1000.0;
}

MAYBE static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(125);
}

/* What was seen, by its first word; held against what the report saw. */
static char seen[1024][160];
MAYBE static int seen_count;

MAYBE static void see(const char *mark, const char *format, ...)
{
	char *line = seen[seen_count < 1023 ? seen_count++ : 1023];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof seen[0], format, args);
	va_end(args);
	printf("%10.3f ms %s %s\n", stamp(), mark, line);
	fflush(stdout);
}

/* Runs a program of this machine, `input` on its standard input; 0 where it succeeds. */
MAYBE static int run(const char *input, const char *const *argv)
{
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) != 0 || (child = fork()) < 0)
		die("fork");
	if (child == 0) {
		dup2(ends[0], 0);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[0]);
	if (write(ends[1], input, strlen(input)) < 0)
		perror(argv[0]);
	close(ends[1]);
	waitpid(child, &status, 0);
	return status;
}
#define RUN(input, ...) run(input, (const char *const[]){ __VA_ARGS__, NULL })

/* An rxe device on one end of a veth pair; the other end, which has no addresses, is the peer's. */
MAYBE static void open_device(void)
{
	static const char setup[] =
		"link add repro0 type veth peer name repro1\n"
		"link set repro1 mtu 4200 addrgenmode none\n"
		"link set repro1 up\n"
		"link set repro0 address 02:00:00:00:00:01 mtu 4200 addrgenmode none\n"
		"link set repro0 up\n"
		"addr add 10.77.0.1/24 dev repro0\n"
		"addr add fd77::1/64 dev repro0 nodad\n"
		"neigh replace 10.77.0.2 lladdr 02:00:00:00:00:02 dev repro0 nud permanent\n"
		"neigh replace fd77::2 lladdr 02:00:00:00:00:02 dev repro0 nud permanent\n";
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	struct ibv_device **list;
	int i;

	RUN("", "modprobe", "-q", "-a", "veth", "rdma_rxe");
	if (RUN(setup, "ip", "-batch", "-") != 0 ||
	    RUN("", "rdma", "link", "add", "repro_rxe", "type", "rxe", "netdev", "repro0") != 0)
		die("no rxe device (this takes root, iproute2, veth and rdma_rxe)");
	/* the GID table follows the addresses in its own time */
	usleep(500000);
	list = ibv_get_device_list(NULL);
	for (i = 0; list && list[i]; i++)
		if (strcmp(ibv_get_device_name(list[i]), "repro_rxe") == 0)
			ctx = ibv_open_device(list[i]);
	if (!ctx)
		die("ibv_open_device of repro_rxe");
	fcntl(ctx->async_fd, F_SETFL, fcntl(ctx->async_fd, F_GETFL) | O_NONBLOCK);
	wire = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
	at.sll_ifindex = if_nametoindex("repro1");
	if (wire < 0 || bind(wire, (struct sockaddr *)&at, sizeof at) != 0)
		die("packet socket on repro1");
}

MAYBE static void close_device(void)
{
	int i;

	if (qp)
		ibv_destroy_qp(qp);
	for (i = 0; i < MOST; i++)
		if (ah[i])
			ibv_destroy_ah(ah[i]);
	if (srq)
		ibv_destroy_srq(srq);
	for (i = 0; i < cqs; i++)
		ibv_destroy_cq(cq[i]);
	for (i = 0; i < MOST; i++)
		if (region[i].mr)
			ibv_dereg_mr(region[i].mr);
	for (i = 0; i < MOST; i++)
		if (pd[i])
			ibv_dealloc_pd(pd[i]);
	ibv_close_device(ctx);
	if (RUN("", "rdma", "link", "del", "repro_rxe") != 0 || RUN("", "ip", "link", "del", "repro0") != 0)
		fprintf(stderr, "repro_rxe or repro0 is left\n");
}

/* Index of the GID that is 10.77.0.1 or fd77::1. */
MAYBE static int gid_index(int ip)
{
	static const uint8_t start[2][2] = { { 0, 0 }, { 0xfd, 0x77 } };
	union ibv_gid gid;
	int i;

	for (i = 0; i < 16; i++)
		if (ibv_query_gid(ctx, 1, i, &gid) == 0 && memcmp(gid.raw, start[ip == 6], 2) == 0 && gid.raw[15] == 1)
			return i;
	die("no GID of this address");
	return 0;
}

MAYBE static union ibv_gid gid_of(const char *address)
{
	union ibv_gid gid;

	if (inet_pton(AF_INET6, address, gid.raw) != 1)
		die(address);
	return gid;
}

/* Memory with a page of nobody's on either side. */
MAYBE static void reg(int i, struct ibv_pd *owner, size_t length, int access)
{
	size_t page = 4096, whole = (length + 3 * page) & ~(page - 1);

	region[i].mem = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region[i].mem == MAP_FAILED)
		die("mmap");
	region[i].mem += page;
	region[i].length = length;
	region[i].mr = ibv_reg_mr(owner, region[i].mem, length, access);
	if (!region[i].mr)
		die("ibv_reg_mr");
	region[i].lkey = region[i].mr->lkey;
	region[i].rkey = region[i].mr->rkey;
}

/* Bytes of which no two neighbours are alike, from the one at `from` on; the one at 0 is `first`. */
MAYBE static void pattern(unsigned char *to, size_t length, size_t from, unsigned first)
{
	size_t at;

	for (at = from; at < from + length; at++)
		*to++ = first + 13 * (at / 256) + 7 * (at % 256);
}

MAYBE static void fill(int i, size_t offset, size_t length, unsigned first)
{
	pattern(region[i].mem + offset, length, 0, first);
}

MAYBE static uint32_t crc(uint32_t sum, const unsigned char *bytes, size_t length)
{
	int bit;

	while (length--) {
		sum ^= *bytes++;
		for (bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return sum;
}

/* ICRC over the IP packet: what changes on the way counts as ones. */
MAYBE static uint32_t icrc(const unsigned char *frame, size_t length)
{
	unsigned char copy[9000];
	size_t ip = 14, udp = ip + (frame[14] >> 4 == 4 ? 20 : 40);
	uint32_t sum;

	memcpy(copy, frame, length);
	if (frame[14] >> 4 == 4) {
		copy[ip + 1] = copy[ip + 8] = copy[ip + 10] = copy[ip + 11] = 0xff;
	} else {
		copy[ip] |= 0x0f;
		copy[ip + 1] = copy[ip + 2] = copy[ip + 3] = copy[ip + 7] = 0xff;
	}
	copy[udp + 6] = copy[udp + 7] = 0xff;
	copy[udp + 8 + 4] = 0xff;
	sum = crc(0xffffffff, (const unsigned char *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8);
	return ~crc(sum, copy + ip, length - ip - 4);
}

MAYBE static void put(unsigned char *at, uint64_t value, int bytes)
{
	while (bytes--) {
		at[bytes] = value;
		value >>= 8;
	}
}

/* Puts the ICRC under a frame, with the bits of `wrong` turned, and sends it to the device. */
MAYBE static void send_frame(const char *what, unsigned char *frame, size_t length, uint32_t wrong)
{
	uint32_t sum = icrc(frame, length) ^ wrong;
	int i;

	for (i = 0; i < 4; i++)
		frame[length - 4 + i] = sum >> 8 * i;
	printf("%10.3f ms -> %s\n", stamp(), what);
	if (send(wire, frame, length, 0) != (ssize_t)length)
		die("send");
}

MAYBE static void take_packet(const unsigned char *frame, ssize_t got)
{
	size_t udp = frame[12] == 8 && frame[13] == 0 ? 34 : 54;
	size_t length;
	const unsigned char *bth = frame + udp + 8;
	unsigned psn, opcode;
	char more[48] = "";

	if (got < (ssize_t)udp + 24 || frame[udp - (udp == 34 ? 11 : 34)] != 17)
		return;
	if ((frame[udp + 2] << 8 | frame[udp + 3]) != 4791)
		return;
	length = (frame[udp + 4] << 8 | frame[udp + 5]) - 8;
	opcode = bth[0];
	psn = bth[9] << 16 | bth[10] << 8 | bth[11];
	if (opcode >= 0x0d && opcode <= 0x12 && opcode != 0x0e)
		snprintf(more, sizeof more, " syndrome 0x%02x msn %u", bth[12], bth[13] << 16 | bth[14] << 8 | bth[15]);
	if (opcode >> 5 == 3)
		snprintf(more, sizeof more, " qkey 0x%02x%02x%02x%02x", bth[12], bth[13], bth[14], bth[15]);
	packets++;
	/* behind the BTH; of datagrams behind the DETH, which names this very QP */
	see("<-", "packet opcode 0x%02x psn %u ack-req %u flags 0x%02x%s bytes %zu crc 0x%08x", opcode, psn,
	    bth[8] >> 7, bth[1], more, length - 16,
	    ~crc(0xffffffff, bth + (opcode >> 5 == 3 ? 20 : 12), length - (opcode >> 5 == 3 ? 24 : 16)));
}

static const char *const statuses[] = {
	"IBV_WC_SUCCESS", "IBV_WC_LOC_LEN_ERR", "IBV_WC_LOC_QP_OP_ERR", "IBV_WC_LOC_EEC_OP_ERR",
	"IBV_WC_LOC_PROT_ERR", "IBV_WC_WR_FLUSH_ERR", "IBV_WC_MW_BIND_ERR", "IBV_WC_BAD_RESP_ERR",
	"IBV_WC_LOC_ACCESS_ERR", "IBV_WC_REM_INV_REQ_ERR", "IBV_WC_REM_ACCESS_ERR", "IBV_WC_REM_OP_ERR",
	"IBV_WC_RETRY_EXC_ERR", "IBV_WC_RNR_RETRY_EXC_ERR", "IBV_WC_LOC_RDD_VIOL_ERR",
	"IBV_WC_REM_INV_RD_REQ_ERR", "IBV_WC_REM_ABORT_ERR", "IBV_WC_INV_EECN_ERR",
	"IBV_WC_INV_EEC_STATE_ERR", "IBV_WC_FATAL_ERR", "IBV_WC_RESP_TIMEOUT_ERR", "IBV_WC_GENERAL_ERR",
};
static const char *const event_names[] = {
	"IBV_EVENT_CQ_ERR", "IBV_EVENT_QP_FATAL", "IBV_EVENT_QP_REQ_ERR", "IBV_EVENT_QP_ACCESS_ERR",
	"IBV_EVENT_COMM_EST", "IBV_EVENT_SQ_DRAINED", "IBV_EVENT_PATH_MIG", "IBV_EVENT_PATH_MIG_ERR",
	"IBV_EVENT_DEVICE_FATAL", "IBV_EVENT_PORT_ACTIVE", "IBV_EVENT_PORT_ERR", "IBV_EVENT_LID_CHANGE",
	"IBV_EVENT_PKEY_CHANGE", "IBV_EVENT_SM_CHANGE", "IBV_EVENT_SRQ_ERR", "IBV_EVENT_SRQ_LIMIT_REACHED",
	"IBV_EVENT_QP_LAST_WQE_REACHED", "IBV_EVENT_CLIENT_REREGISTER", "IBV_EVENT_GID_CHANGE",
};
static const char *const states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

static const char *name_of(const char *const *names, size_t count, unsigned value)
{
	return value < count ? names[value] : "unknown";
}
#define NAME(names, value) name_of(names, sizeof names / sizeof names[0], value)

/* Takes what has come: packets of the device, completions, events. */
MAYBE static void look(void)
{
	unsigned char frame[9000];
	struct sockaddr_ll from;
	socklen_t size = sizeof from;
	struct ibv_async_event event;
	struct ibv_wc wc;
	ssize_t got;
	int i;

	while ((got = recvfrom(wire, frame, sizeof frame, 0, (struct sockaddr *)&from, &size)) > 0)
		if (from.sll_pkttype != PACKET_OUTGOING)
			take_packet(frame, got);
	for (i = 0; i < cqs; i++)
		while ((!hold || completions < due) && ibv_poll_cq(cq[i], 1, &wc) > 0) {
			completions++;
			see("  ", "completion wr_id %llu %s", (unsigned long long)wc.wr_id, NAME(statuses, wc.status));
			if (wc.status == IBV_WC_SUCCESS && (wc.opcode & IBV_WC_RECV))
				printf("   of %u bytes\n", wc.byte_len);
		}
	while (ibv_get_async_event(ctx, &event) == 0) {
		/* of the port: the device has just been made */
		if (event.event_type != IBV_EVENT_PORT_ACTIVE && event.event_type != IBV_EVENT_GID_CHANGE) {
			events++;
			see("  ", "event %s", NAME(event_names, event.event_type));
		}
		ibv_ack_async_event(&event);
	}
}

/* Waits until so much has been seen, at most 5 s, and then `us` more. */
MAYBE static void wait_for(int want_packets, int want_completions, int want_events, uint64_t us)
{
	uint64_t limit = now() + 5000000, end;

	due = want_completions;
	for (look(); now() < limit; look()) {
		if (packets >= want_packets && completions >= want_completions && events >= want_events)
			break;
		usleep(100);
	}
	for (end = now() + us; now() < end; look())
		usleep(100);
	look();
}

MAYBE static void called(const char *call, int error)
{
	see("  ", "call %s errno %d", call, error);
}

/* The same of a list of work requests: `place` is that of the one which was refused, from 0; -1: of none. */
MAYBE static void called_list(const char *call, int error, long place, int length)
{
	if (!error)
		called(call, error);
	else if (place < 0 || place >= length)
		see("  ", "call %s errno %d, bad_wr none of the list of %d", call, error, length);
	else
		see("  ", "call %s errno %d, bad_wr %ld of the list of %d", call, error, place + 1, length);
}

MAYBE static void query(void)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr a;
	int error = ibv_query_qp(qp, &a, 0x1fffff, &init);

	if (error)
		called("ibv_query_qp", error);
	else
		see("  ", "query state %s path_mtu %d max_dest_rd_atomic %u max_rd_atomic %u min_rnr_timer %u timeout %u "
		    "retry_cnt %u rnr_retry %u", NAME(states, a.qp_state), 128 << a.path_mtu, a.max_dest_rd_atomic,
		    a.max_rd_atomic, a.min_rnr_timer, a.timeout, a.retry_cnt, a.rnr_retry);
}

MAYBE static void query_port(void)
{
	struct ibv_port_attr a;

	if (ibv_query_port(ctx, 1, &a) == 0)
		printf("   ibv_query_port state %d max_msg_sz %u active_mtu %d\n", a.state, a.max_msg_sz, 128 << a.active_mtu);
}

MAYBE static void query_device(void)
{
	struct ibv_device_attr a;

	if (ibv_query_device(ctx, &a) == 0)
		printf("   ibv_query_device max_qp_rd_atom %d max_qp_init_rd_atom %d local_ca_ack_delay %u\n",
		       a.max_qp_rd_atom, a.max_qp_init_rd_atom, a.local_ca_ack_delay);
}

MAYBE static void query_srq(void)
{
	struct ibv_srq_attr a;

	if (srq && ibv_query_srq(srq, &a) == 0)
		printf("   ibv_query_srq max_wr %u max_sge %u srq_limit %u\n", a.max_wr, a.max_sge, a.srq_limit);
}

MAYBE static void show_memory(int i)
{
	size_t at, shown = region[i].length < 64 ? region[i].length : 64;

	printf("   memory %d, first %zu of %zu bytes:", i, shown, region[i].length);
	for (at = 0; at < shown; at++)
		printf("%s%02x", at % 32 ? " " : "\n     ", region[i].mem[at]);
	printf("\n");
}

static int of_kind(const char *line, const char *kind)
{
	return !*kind || strncmp(line, kind, strlen(kind)) == 0;
}

/*
 * Holds what was seen against what the report saw, kind by kind: `kind` is the first word of the lines that matter, "" is all of
 * them. Of a kind that matters nothing may be missing; behind the last line of the report more may come, unless `whole`.
 */
MAYBE static int same(const char *const *reported, const char *kind, int whole)
{
	static const char *const kinds[] = { "packet", "completion", "event", "call", "query" };
	unsigned k;
	int i, at, alike = 1;

	for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		size_t n = strlen(kinds[k]), n_told;

		if (*kind && strcmp(kind, kinds[k]) != 0)
			continue;
		for (i = 0, at = 0; reported[i]; i++) {
			if (strncmp(reported[i], kinds[k], n) != 0)
				continue;
			while (at < seen_count && strncmp(seen[at], kinds[k], n) != 0)
				at++;
			/* of a query the report tells the state first, and not always more */
			n_told = strcmp(kinds[k], "query") == 0 ? strlen(reported[i]) : sizeof seen[0];
			if (at == seen_count || strncmp(seen[at], reported[i], n_told) != 0) {
				printf("   here: %s\n   report: %s\n", at < seen_count ? seen[at] : "nothing", reported[i]);
				return 0;
			}
			at++;
		}
		while (at < seen_count && strncmp(seen[at], kinds[k], n) != 0)
			at++;
		if (whole && at < seen_count) {
			printf("   here: %s\n   report: nothing more of this kind\n", seen[at]);
			alike = 0;
		}
	}
	return alike;
}

/* Exit code of a case whose exchange is not that of the report. */
MAYBE static int went_elsewhere(void)
{
	printf("cannot tell: the exchange goes another way than in the report\n");
	return 125;
}

/* Exit code of a case in which something of this kind should come and does not: 1 where it does not come here either. */
MAYBE static int missing(const char *const *reported, const char *kind)
{
	int i, here = 0, there = 0;

	for (i = 0; i < seen_count; i++)
		here += of_kind(seen[i], kind);
	for (i = 0; reported[i]; i++)
		there += of_kind(reported[i], kind);
	if (here > there) {
		printf("not shown: more comes than the report saw\n");
		return 0;
	}
	if (!same(reported, "", 0))
		return went_elsewhere();
	printf("the defect shows, as in the report\n");
	return 1;
}
