// The calls of the device in C++: JSON in, the NIC of nic.h, JSON out. Put your own NIC in its place, call by call.
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "device.h"
#include "nic.h"

namespace {

using Args = const json *;

nic the_nic{};

/// A call that is refused, with an errno as libibverbs would give it.
struct Refused {
  int error;
};

void must(int error) {
  if (error) throw Refused{error};
}

/// An object by its handle; EINVAL where there is none.
template <typename T>
T *object(T *(*find)(nic *, int), Args args, const char *name) {
  T *found = find(&the_nic, static_cast<int>(json_i64(args, name)));
  if (!found) throw Refused{EINVAL};
  return found;
}
pd *pd_of(Args args) { return object(nic_pd, args, "pd"); }
mr *mr_of(Args args) { return object(nic_mr, args, "mr"); }
cq *cq_of(Args args, const char *name = "cq") { return object(nic_cq, args, name); }
qp *qp_of(Args args) { return object(nic_qp, args, "qp"); }

/// Words of the verbs, in the order of their numbers in nic.h.
struct Words {
  std::string prefix;
  std::vector<std::string> list;

  unsigned number(const std::string &text) const {
    for (unsigned i = 0; i < list.size(); i++)
      if (text == prefix + list[i]) return i;
    throw Refused{EINVAL};
  }
  std::string word(unsigned number) const { return "\"" + prefix + list.at(number) + "\""; }
};
const Words states{"IBV_QPS_", {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"}};
const Words rights{"IBV_ACCESS_", {"LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"}};
const Words migration{"IBV_MIG_", {"MIGRATED", "REARM", "ARMED"}};
const Words names{"", {"qp_state", "cur_qp_state", "en_sqd_async_notify", "qp_access_flags", "pkey_index", "port_num", "qkey",
                       "ah_attr", "path_mtu", "timeout", "retry_cnt", "rnr_retry", "rq_psn", "max_rd_atomic", "alt_ah_attr",
                       "alt_pkey_index", "alt_port_num", "alt_timeout", "min_rnr_timer", "sq_psn", "max_dest_rd_atomic",
                       "path_mig_state", "dest_qp_num"}};
/// Addresses as they were given, by handle of their QP: this device sends to its peer, whatever they say.
std::map<std::pair<int, int>, std::string> addresses;

uint32_t access_of(Args list) {
  uint32_t access = 0;
  for (Args flag = list ? list->child : nullptr; flag; flag = flag->next) access |= 1u << rights.number(flag->text);
  return access;
}

qp_attr attr_of(Args object, int handle) {
  qp_attr attr{};
  for (Args member = object->child; member; member = member->next) {
    const unsigned at = names.number(member->key);
    uint32_t value = 0;
    switch (at) {
    case A_QP_STATE:
    case A_CUR_QP_STATE: value = states.number(member->text); break;
    case A_PATH_MIG_STATE: value = migration.number(member->text); break;
    case A_ACCESS: value = access_of(member); break;
    case A_EN_SQD_ASYNC_NOTIFY: value = member->kind == JSON_TRUE; break;
    case A_AH:
    case A_ALT_AH: {
      char text[256];
      json_print(member, text, sizeof text);
      addresses[{handle, at}] = text;
      break;
    }
    default: value = static_cast<uint32_t>(strtoul(member->text, nullptr, 10));
    }
    attr.given |= 1u << at;
    attr.value[at] = value;
  }
  return attr;
}

std::string text_of(const qp_attr &attr, int handle) {
  std::string text;
  for (unsigned at = 0; at < A_COUNT; at++) {
    if (!(attr.given >> at & 1)) continue;
    const uint32_t value = attr.value[at];
    text += text.empty() ? "{" : ",";
    text += names.word(at) + ":";
    if (at == A_QP_STATE || at == A_CUR_QP_STATE) text += states.word(value);
    else if (at == A_PATH_MIG_STATE) text += migration.word(value);
    else if (at == A_AH || at == A_ALT_AH) text += addresses[{handle, at}];
    else if (at == A_ACCESS) {
      std::string list;
      for (unsigned bit = 0; bit < 4; bit++)
        if (value >> bit & 1) list += (list.empty() ? "" : ",") + rights.word(bit);
      text += "[" + list + "]";
    } else text += std::to_string(value);
  }
  return text + "}";
}

std::string completions(cq *queue, int64_t max) {
  std::string text;
  for (wc *entry = nullptr; max-- > 0 && (entry = nic_poll_cq(queue)); free(entry)) {
    text += text.empty() ? "" : ",";
    text += "{\"wr_id\":" + std::to_string(entry->wr_id) + ",\"status\":\"" + entry->status + "\"";
    text += ",\"qp_num\":" + std::to_string(entry->qp_num);
    if (entry->opcode) text += std::string(",\"opcode\":\"") + entry->opcode + "\",\"byte_len\":" + std::to_string(entry->byte_len);
    if (entry->with_imm) text += ",\"imm_data\":" + std::to_string(entry->imm_data);
    text += "}";
  }
  return "[" + text + "]";
}

std::vector<uint8_t> bytes_of(Args args, const char *name) {
  const char *text = json_text(args, name);
  std::vector<uint8_t> bytes(strlen(text) + 1);
  bytes.resize(base64_decode(text, bytes.data()));
  return bytes;
}

std::string create_qp(Args args) {
  if (strcmp(json_text(args, "qp_type"), "IBV_QPT_RC") || json_has(args, "srq") || json_bool(args, "ooo")) throw Refused{EINVAL};
  Args cap = json_has(args, "cap") ? json_get(args, "cap") : args;  // a trace has both in one
  const int wr = static_cast<int>(json_i64(cap, "max_recv_wr")), sge = static_cast<int>(json_i64(cap, "max_recv_sge"));
  if (sge > NIC_MAX_SGE) throw Refused{EINVAL};
  const qp *made = nic_create_qp(&the_nic, pd_of(args), cq_of(args, "send_cq"), cq_of(args, "recv_cq"), wr, sge);
  return "{\"qp\":" + std::to_string(made->handle) + ",\"qp_num\":" + std::to_string(made->number) + "}";
}

void post_recv(Args args) {
  Args wr = json_get(args, "wr");
  auto *made = static_cast<recv_wr *>(calloc(1, sizeof(recv_wr)));
  made->wr_id = json_i64(wr, "wr_id");
  bool room = true;
  for (Args element = json_get(wr, "sg_list")->child; element; element = element->next) {
    room = made->num_sge < NIC_MAX_SGE;
    if (!room) break;
    made->sg_list[made->num_sge++] = {json_u64(element, "addr"), static_cast<uint32_t>(json_u64(element, "length")),
                                      static_cast<uint32_t>(json_u64(element, "lkey"))};
  }
  qp *found = nic_qp(&the_nic, static_cast<int>(json_i64(args, "qp")));
  const int error = !found || !room ? EINVAL : nic_post_recv(&the_nic, found, made);
  if (error) free(made);
  must(error);
}

/// A call that gives nothing.
std::function<std::string(Args)> does(std::function<void(Args)> run) {
  return [run](Args args) { return run(args), std::string("null"); };
}

const std::map<std::string, std::function<std::string(Args)>> calls{
  {"alloc_pd", [](Args) { return std::to_string(nic_alloc_pd(&the_nic)->handle); }},
  {"dealloc_pd", does([](Args args) { must(nic_dealloc_pd(&the_nic, pd_of(args))); })},
  {"reg_mr", [](Args args) {
     mr *made = nullptr;
     must(nic_reg_mr(&the_nic, pd_of(args), static_cast<uint32_t>(json_u64(args, "length")), access_of(json_get(args, "access")), &made));
     const std::string key = std::to_string(made->key);
     return "{\"mr\":" + std::to_string(made->handle) + ",\"addr\":\"" + std::to_string(made->addr) + "\",\"lkey\":" + key + ",\"rkey\":" + key + "}";
   }},
  {"dereg_mr", does([](Args args) { must(nic_dereg_mr(&the_nic, mr_of(args))); })},
  {"read_memory", [](Args args) {
     const mr *region = mr_of(args);
     const int64_t offset = json_i64(args, "offset"), length = json_i64(args, "length");
     if (offset < -NIC_GUARD || length < 0 || offset + length > int64_t{region->length} + NIC_GUARD) throw Refused{EINVAL};
     std::string text(static_cast<size_t>(length) / 3 * 4 + 5, '\0');
     base64_encode(region->bytes + NIC_GUARD + offset, static_cast<size_t>(length), text.data());
     return "\"" + std::string(text.c_str()) + "\"";
   }},
  {"write_memory", does([](Args args) {
     mr *region = mr_of(args);
     const std::vector<uint8_t> bytes = bytes_of(args, "bytes");
     const int64_t offset = json_i64(args, "offset"), end = offset + static_cast<int64_t>(bytes.size());
     if (offset < 0 || end > int64_t{region->length}) throw Refused{EINVAL};
     std::copy(bytes.begin(), bytes.end(), region->bytes + NIC_GUARD + offset);
   })},
  {"create_cq", [](Args) { return std::to_string(nic_create_cq(&the_nic)->handle); }},
  {"destroy_cq", does([](Args args) { must(nic_destroy_cq(&the_nic, cq_of(args))); })},
  {"poll_cq", [](Args args) { return completions(cq_of(args), json_i64(args, "max")); }},
  {"req_notify_cq", does([](Args args) { cq_of(args)->armed = true; })},
  {"create_qp", create_qp},
  {"modify_qp", does([](Args args) {
     qp *found = qp_of(args);
     const qp_attr attr = attr_of(json_get(args, "attr"), found->handle);
     must(nic_modify_qp(&the_nic, found, &attr));
   })},
  {"query_qp", [](Args args) { return text_of(nic_query_qp(qp_of(args)), qp_of(args)->handle); }},
  {"destroy_qp", does([](Args args) { must(nic_destroy_qp(&the_nic, qp_of(args))); })},
  {"post_recv", does(post_recv)},
  {"deliver", does([](Args args) {
     const std::vector<uint8_t> frame = bytes_of(args, "frame");
     nic_deliver(&the_nic, frame.data(), frame.size());
   })},
};

}  // namespace

const char *device_greeting(void) {
  return R"("profile":{"name":"cpp-responder","version":"1","capabilities":["rc"],"pathMtus":[256,512,1024,2048,4096],)"
         R"("ipVersions":[4],"limits":{"maxDestRdAtomic":16,"maxMessageBytes":1048576,"maxQps":1024},)"
         // nanoseconds; on virtual time this device answers at once
         R"("clock":"virtual","responseTime":1000,"concurrency":1},)"
         R"("dut":{"mac":"02:00:00:00:00:01","ipv4":"10.0.0.1","gidIndex":{"ipv4":0}},)"
         R"("peer":{"mac":"02:00:00:00:00:02","ipv4":"10.0.0.2","gidIndex":{"ipv4":0}})";
}

nic *device_nic(void) { return &the_nic; }

int device_reset(const char *fault) {
  const std::map<std::string, enum fault> faults{
    {"", NO_FAULT}, {"nak-psn", NAK_PSN}, {"duplicate-write", DUPLICATE_WRITE}, {"silent-duplicate", SILENT_DUPLICATE}};
  const auto found = faults.find(fault ? fault : "");
  if (found == faults.end()) return 0;
  nic_reset(&the_nic);
  addresses.clear();
  the_nic.here = {{2, 0, 0, 0, 0, 1}, 0x0a000001};
  the_nic.peer = {{2, 0, 0, 0, 0, 2}, 0x0a000002};
  the_nic.fault = found->second;
  the_nic.send = device_sends;
  the_nic.cq_event = device_cq_event;
  the_nic.async_event = device_async_event;
  return 1;
}

int device_call(const char *name, const json *args, char *result) {
  const auto found = calls.find(name);
  if (found == calls.end()) return EOPNOTSUPP;
  try {
    strcpy(result, found->second(args).c_str());
    return 0;
  } catch (const Refused &refused) {
    return refused.error;
  }
}
