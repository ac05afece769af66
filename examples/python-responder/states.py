"""Which attributes ibv_modify_qp takes on which way, for a reliable connection: (required, optional)."""

from rdma_stdio import EINVAL, VerbsError

ALTERNATE = {"alt_ah_attr", "alt_pkey_index", "alt_port_num", "alt_timeout"}
CONNECT = {"ah_attr", "path_mtu", "dest_qp_num", "rq_psn", "max_dest_rd_atomic", "min_rnr_timer"}
TRANSMIT = {"timeout", "retry_cnt", "rnr_retry", "sq_psn", "max_rd_atomic"}
RUNNING = {"cur_qp_state", "qp_access_flags", "min_rnr_timer", "path_mig_state"} | ALTERNATE
INITIAL = {"pkey_index", "port_num", "qp_access_flags"}
# With the send queue drained, nearly everything may be changed.
DRAINED = RUNNING - {"cur_qp_state"} | INITIAL | TRANSMIT - {"sq_psn"} | {"ah_attr", "max_dest_rd_atomic"}

WAYS = {
    ("RESET", "INIT"): (INITIAL, set()),
    ("INIT", "INIT"): (set(), INITIAL),
    ("INIT", "RTR"): (CONNECT, {"qp_access_flags", "pkey_index"} | ALTERNATE),
    ("RTR", "RTS"): (TRANSMIT, RUNNING),
    ("RTS", "RTS"): (set(), RUNNING),
    ("RTS", "SQD"): (set(), {"en_sqd_async_notify"}),
    ("SQD", "RTS"): (set(), RUNNING),
    ("SQD", "SQD"): (set(), DRAINED),
}


# The largest value of each attribute; max_dest_rd_atomic and max_rd_atomic as far as the profile says.
LARGEST = {
    "timeout": 31, "alt_timeout": 31, "min_rnr_timer": 31, "retry_cnt": 7, "rnr_retry": 7,
    "rq_psn": 0xFFFFFF, "sq_psn": 0xFFFFFF, "dest_qp_num": 0xFFFFFF, "max_dest_rd_atomic": 16, "max_rd_atomic": 16,
}


def next_state(current, attr):
    """The state that a QP goes to; VerbsError where there is no such way, or not with these attributes."""
    asked = attr.get("qp_state", current)
    here, there = current.removeprefix("IBV_QPS_"), asked.removeprefix("IBV_QPS_")
    given = set(attr) - {"qp_state"}
    if there == "RESET" or (there == "ERR" and here != "RESET"):
        required, optional = set(), set()
    elif (here, there) in WAYS:
        required, optional = WAYS[here, there]
    else:
        raise VerbsError(EINVAL, here + " to " + there)
    if not required <= given or not given <= required | optional:
        raise VerbsError(EINVAL, "attributes: " + ", ".join(sorted(given)))
    for name, largest in LARGEST.items():
        if attr.get(name, 0) > largest:
            raise VerbsError(EINVAL, "%s is above %d" % (name, largest))
    if attr.get("cur_qp_state", current) != current:
        raise VerbsError(EINVAL, "it is in " + here)
    return asked
