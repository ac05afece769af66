// The receive path of reliable connections: RoCEv2 over IPv4, one byte a clock. It checks a frame, decides by PSN, opcode sequence and
// rights, places the payload in host memory, and answers by ACK, NAK, RNR NAK or READ responses. It has no send queue.
// The driver writes contexts of QPs and regions by `cfg_*`, and hears of completions, events and errors by `up_*`.
module rc_receive #(
  parameter QPS = 64,
  parameter REGIONS = 1024,
  parameter [47:0] MAC = 48'h020000000001, PEER_MAC = 48'h020000000002,
  parameter [31:0] IP = 32'h0a000001, PEER_IP = 32'h0a000002
) (
  input wire clk,
  input wire rst,
  // the one thing that it does wrong: 1 nak-psn, 2 msn-packets, 3 silent-duplicate
  input wire [1:0] fault,
  // a frame from the port, without the Ethernet checksum
  input wire rx_valid,
  input wire rx_last,
  input wire [7:0] rx_data,
  output wire busy,
  // a frame to the port
  output reg tx_valid,
  output reg tx_last,
  output reg [7:0] tx_data,
  // host memory
  output reg [31:0] mem_addr,
  output reg mem_write,
  output reg [7:0] mem_wdata,
  input wire [7:0] mem_rdata,
  // registers
  input wire cfg_write,
  input wire [4:0] cfg_field,
  input wire [15:0] cfg_index,
  input wire [63:0] cfg_data,
  // to the driver: 1 completion, 2 event, 3 the QP is in error
  output reg [1:0] up_kind,
  output reg [15:0] up_qp,
  output reg [2:0] up_code,
  output reg [31:0] up_length,
  output reg up_with_imm,
  output reg [31:0] up_imm
);
  // Fields of `cfg_field`
  localparam QP_STATE = 0, QP_DEST = 1, QP_MTU = 2, QP_ACCESS = 3, QP_PD = 4, QP_RNR = 5, QP_READS = 6, QP_PSN = 7, QP_RING = 8,
             QP_RING_SIZE = 9, QP_POST = 10, QP_CLEAR = 11, MR_BASE = 16, MR_LENGTH = 17, MR_ACCESS = 18;
  localparam LOCAL_WRITE = 1, REMOTE_WRITE = 2, REMOTE_READ = 4;
  // AETH syndromes
  localparam [7:0] ACK = 8'h1f, RNR = 8'h20, NAK_SEQUENCE = 8'h60, NAK_INVALID = 8'h61, NAK_ACCESS = 8'h62, NAK_OPERATIONAL = 8'h63;
  // `up_code` of a completion, and of an event
  localparam [2:0] SUCCESS_SEND = 0, SUCCESS_WRITE = 1, LOC_QP_OP_ERR = 2, LOC_LEN_ERR = 3, LOC_ACCESS_ERR = 4, LOC_PROT_ERR = 5;
  localparam [2:0] NO_EVENT = 0, COMM_EST = 1, QP_REQ_ERR = 2, QP_ACCESS_ERR = 3;

  // Contexts of QPs. `active`: takes packets. `mtu` is a power of two.
  reg active [0:QPS-1], unconnected [0:QPS-1], sequence_nak [0:QPS-1], rnr_nak [0:QPS-1], established [0:QPS-1];
  reg [23:0] dest [0:QPS-1], epsn [0:QPS-1], msn [0:QPS-1];
  reg [3:0] mtu_log [0:QPS-1];
  reg [2:0] access [0:QPS-1];
  reg [15:0] pd [0:QPS-1];
  reg [4:0] rnr_timer [0:QPS-1], max_reads [0:QPS-1], read_count [0:QPS-1];
  // receive queue: a ring of descriptors in host memory; a header of 16 bytes (elements, total length), then 16 bytes for each element
  reg [31:0] ring [0:QPS-1];
  reg [15:0] ring_size [0:QPS-1], ring_stride [0:QPS-1], ring_first [0:QPS-1], posted [0:QPS-1];
  // the message of which packets are still to come: 0 none, 1 SEND, 2 WRITE
  reg [1:0] message [0:QPS-1];
  reg taken [0:QPS-1];
  reg [31:0] so_far [0:QPS-1], announced [0:QPS-1], rkey [0:QPS-1];
  reg [63:0] va [0:QPS-1];
  // READs that may be asked for again, 16 for each QP, the newest last
  reg [23:0] read_psn [0:QPS*16-1], read_packets [0:QPS*16-1];
  reg [63:0] read_va [0:QPS*16-1];
  reg [31:0] read_rkey [0:QPS*16-1], read_length [0:QPS*16-1];
  // Regions. A key is the number of its region, and 8 bits of 0.
  reg [63:0] mr_base [0:REGIONS-1];
  reg [31:0] mr_length [0:REGIONS-1];
  reg [2:0] mr_access [0:REGIONS-1];
  reg [15:0] mr_pd [0:REGIONS-1];

  // The frame that came in: its headers in registers, all of it in a buffer.
  reg [7:0] head [0:79], buffer [0:9215];
  reg [15:0] length;
  reg [31:0] crc, tail;
  reg [19:0] sum;
  wire [15:0] ip_length = {head[16], head[17]};
  wire [7:0] opcode = head[42];
  wire [1:0] pad = head[43][5:4];
  wire [23:0] dest_qp = {head[47], head[48], head[49]}, psn = {head[51], head[52], head[53]};
  wire ack_requested = head[50][7];
  wire [63:0] reth_va = {head[54], head[55], head[56], head[57], head[58], head[59], head[60], head[61]};
  wire [31:0] reth_rkey = {head[62], head[63], head[64], head[65]}, reth_length = {head[66], head[67], head[68], head[69]};
  wire is_write = opcode >= 8'h06, is_read = opcode == 8'h0c;
  wire [7:0] place = is_write ? opcode - 8'h06 : opcode; // FIRST, MIDDLE, LAST, LAST with immediate, ONLY, ONLY with immediate
  wire first = is_read || place == 0 || place >= 4, last = is_read || place >= 2;
  wire with_reth = opcode == 8'h06 || (opcode >= 8'h0a && opcode <= 8'h0c);
  wire with_imm = opcode <= 8'h0b && (place == 3 || place == 5);
  wire [4:0] extension = (with_reth ? 16 : 0) + (with_imm ? 4 : 0);
  wire [31:0] immediate = with_reth ? {head[70], head[71], head[72], head[73]} : {head[54], head[55], head[56], head[57]};
  wire [15:0] bytes = ip_length - 16'd44 - extension - pad;

  wire sound = length >= 58 && length <= 9216 && {head[12], head[13]} == 16'h0800 && ip_length >= 44 && 14 + ip_length <= length
    && head[14] == 8'h45 && head[23] == 8'd17 && ({head[20], head[21]} & 16'h3fff) == 0
    && sum[15:0] + sum[19:16] == 16'hffff && {head[36], head[37]} == 16'd4791 && {head[38], head[39]} == ip_length - 16'd20
    && ~crc == tail && ip_length - 16'd44 >= extension + pad;
  wire welcome = head[43][3:0] == 0 && {head[44][6:0], head[45]} == 15'h7fff && {head[26], head[27], head[28], head[29]} == PEER_IP
    && {head[30], head[31], head[32], head[33]} == IP && opcode[7:5] == 0 && !(opcode >= 8'h0d && opcode <= 8'h12);

  function [31:0] crc_next(input [31:0] old, input [7:0] data);
    integer bit_;
    begin
      crc_next = old ^ data;
      for (bit_ = 0; bit_ < 8; bit_ = bit_ + 1) crc_next = crc_next[0] ? (crc_next >> 1) ^ 32'hedb88320 : crc_next >> 1;
    end
  endfunction
  // of 8 bytes of ones, with which each ICRC begins
  localparam [31:0] CRC_START = 32'hdebb20e3;
  // fields that change on the way count as ones: TOS, TTL, checksums, FECN and BECN
  function varies(input [15:0] at);
    varies = at == 15 || at == 22 || at == 24 || at == 25 || at == 40 || at == 41 || at == 46;
  endfunction

  function allowed(input [15:0] owner, input [31:0] key, input [63:0] source, input [31:0] count, input [2:0] right);
    reg [23:0] at;
    begin
      at = key[31:8];
      allowed = 0;
      if (key[7:0] == 0 && at < REGIONS)
        allowed = mr_pd[at] == owner && (mr_access[at] & right) != 0 && source >= mr_base[at] && count <= mr_length[at]
          && source - mr_base[at] <= mr_length[at] - count;
    end
  endfunction

  function [23:0] packets_of(input [31:0] count, input [3:0] log);
    packets_of = count == 0 ? 24'd1 : ((count - 1) >> log) + 1;
  endfunction

  localparam RECEIVE = 0, CHECK = 1, DECIDE = 2, EXECUTE = 3, PLACE = 4, ELEMENT = 5, ELEMENT_READ = 6, COPY = 7, TAKEN = 8, READ = 9,
             SEND = 10, REPORT = 11, FAILED = 12, FETCH = 13;
  reg [3:0] state, after, after_fetch, after_copy;
  assign busy = state != RECEIVE;
  reg [15:0] qp;
  reg [23:0] behind;
  integer i;

  // a descriptor that is fetched
  reg [127:0] fetched;
  reg [4:0] fetching;
  // scattering
  reg [31:0] elements, element, left, skip, part, to;
  reg [15:0] source;
  // a READ that is answered
  reg [23:0] responses, response, read_from;
  reg [31:0] left_to_read;
  // a frame that is sent
  reg [7:0] t_opcode, t_syndrome, byte_;
  reg [23:0] t_psn;
  reg t_aeth;
  reg [15:0] t_bytes, t_at;
  reg [31:0] t_crc, t_data;
  wire [1:0] t_pad = -t_bytes[1:0];
  wire [15:0] t_ip = 16'd44 + (t_aeth ? 16'd4 : 16'd0) + t_bytes + t_pad;
  wire [31:0] t_sum = 32'h4500 + t_ip + 32'h4000 + 32'h4011 + IP[31:16] + IP[15:0] + PEER_IP[31:16] + PEER_IP[15:0];
  wire [16:0] t_folded = t_sum[15:0] + t_sum[31:16];
  wire [15:0] t_checksum = ~(t_folded[15:0] + {15'd0, t_folded[16]});
  wire [15:0] t_payload = t_aeth ? 58 : 54, t_end = 14 + t_ip - 4;
  // the headers of that frame, first byte first
  wire [463:0] t_header = {PEER_MAC, MAC, 16'h0800, 16'h4500, t_ip, 32'h00004000, 16'h4011, t_checksum, IP, PEER_IP,
    2'b11, dest[qp][13:0], 16'd4791, t_ip - 16'd20, 16'd0, t_opcode, 2'b01, t_pad, 4'd0, 16'hffff, 8'd0, dest[qp], 8'd0, t_psn,
    t_syndrome, msn[qp]};

  task answer(input [7:0] code, input [7:0] syndrome, input [23:0] number, input with_aeth, input [15:0] count, input [3:0] then_);
    begin
      t_opcode = code;
      t_syndrome = syndrome;
      t_psn = number;
      t_aeth = with_aeth;
      t_bytes = count;
      t_at = 0;
      t_crc = CRC_START;
      after = then_;
      state = SEND;
    end
  endtask

  // A NAK that ends the connection. `code` is of the receive that the message had taken, `event_` if it had none.
  reg [2:0] failed_code, failed_event;
  task refuse(input [7:0] syndrome, input [2:0] code, input [2:0] event_);
    begin
      failed_code = code;
      failed_event = event_;
      answer(8'h11, syndrome, psn, 1, 0, REPORT);
    end
  endtask

  task fetch(input [31:0] at, input [3:0] then_);
    begin
      mem_addr <= at;
      fetching = 0;
      after_fetch = then_;
      state = FETCH;
    end
  endtask

  task clear(input [15:0] at);
    begin
      {active[at], unconnected[at], sequence_nak[at], rnr_nak[at], established[at], taken[at]} = 0;
      {message[at], posted[at], ring_first[at], read_count[at], msn[at], epsn[at]} = 0;
    end
  endtask

  always @(posedge clk) begin
    tx_valid <= 0;
    tx_last <= 0;
    mem_write <= 0;
    up_kind <= 0;
    if (rst) begin
      state = RECEIVE;
      length = 0;
      for (i = 0; i < QPS; i = i + 1) clear(i);
      for (i = 0; i < REGIONS; i = i + 1) mr_access[i] = 0;
    end else if (cfg_write) begin
      case (cfg_field)
        QP_STATE: {unconnected[cfg_index], active[cfg_index]} = cfg_data[1:0];
        QP_DEST: dest[cfg_index] = cfg_data;
        QP_MTU: mtu_log[cfg_index] = cfg_data;
        QP_ACCESS: access[cfg_index] = cfg_data;
        QP_PD: pd[cfg_index] = cfg_data;
        QP_RNR: rnr_timer[cfg_index] = cfg_data;
        QP_READS: max_reads[cfg_index] = cfg_data;
        QP_PSN: epsn[cfg_index] = cfg_data;
        QP_RING: ring[cfg_index] = cfg_data;
        QP_RING_SIZE: {ring_stride[cfg_index], ring_size[cfg_index]} = cfg_data[31:0];
        QP_POST: posted[cfg_index] = posted[cfg_index] + 1;
        QP_CLEAR: clear(cfg_index);
        MR_BASE: mr_base[cfg_index] = cfg_data;
        MR_LENGTH: mr_length[cfg_index] = cfg_data;
        MR_ACCESS: {mr_pd[cfg_index], mr_access[cfg_index]} = cfg_data[18:0];
      endcase
    end else case (state)
      RECEIVE: if (rx_valid) begin
        if (length == 0) begin
          crc = CRC_START;
          sum = 0;
        end
        if (length < 80) head[length] = rx_data;
        if (length < 9216) buffer[length] = rx_data;
        if (length >= 14 && length < 34) sum = sum + (length[0] ? rx_data : {rx_data, 8'd0});
        if (length >= 14 && (length < 18 || length < 10 + ip_length)) crc = crc_next(crc, varies(length) ? 8'hff : rx_data);
        else if (length < 14 + ip_length) tail = {rx_data, tail[31:8]};
        length = length + 1;
        if (rx_last) state = CHECK;
      end

      CHECK: begin
        qp = dest_qp[15:0] - 16'h10;
        state = DECIDE;
        if (!sound || !welcome || dest_qp < 24'h10 || dest_qp >= 24'h10 + QPS) state = RECEIVE;
        else if (!active[qp]) state = RECEIVE;
        length = 0;
      end

      DECIDE: begin
        behind = epsn[qp] - psn;
        state = RECEIVE;
        if (behind == 0) begin
          if (!established[qp] && unconnected[qp]) begin
            up_kind <= 2;
            up_qp <= qp;
            up_code <= COMM_EST;
          end
          established[qp] = 1;
          sequence_nak[qp] = 0;
          rnr_nak[qp] = 0;
          state = EXECUTE;
        end else if (behind > 24'h800000) begin
          if (!sequence_nak[qp] && !rnr_nak[qp]) begin
            sequence_nak[qp] = 1;
            answer(8'h11, NAK_SEQUENCE, fault == 1 ? psn : epsn[qp], 1, 0, RECEIVE);
          end
        end else if (is_read) begin
          // a READ that is remembered, or the end of one: what it asks for must lie inside
          responses = packets_of(reth_length, mtu_log[qp]);
          for (i = 15; i >= 0; i = i - 1) begin
            read_from = psn - read_psn[qp * 16 + i];
            if (i < read_count[qp] && read_from < read_packets[qp * 16 + i] && bytes == 0) begin
              left_to_read = read_from << mtu_log[qp];
              if (reth_va == read_va[qp * 16 + i] + left_to_read && reth_rkey == read_rkey[qp * 16 + i]
                  && left_to_read + reth_length <= read_length[qp * 16 + i] && read_from + responses <= read_packets[qp * 16 + i]
                  && (reth_length == 0 || allowed(pd[qp], reth_rkey, reth_va, reth_length, REMOTE_READ))) state = READ;
            end
          end
          response = 0;
          left_to_read = reth_length;
        end else if (opcode <= 8'h0b && ack_requested && fault != 3)
          answer(8'h11, ACK, epsn[qp] - 24'd1, 1, 0, RECEIVE);
      end

      EXECUTE: begin
        if (opcode > 8'h0c || first == (message[qp] != 0) || (message[qp] != 0 && message[qp] != (is_write ? 2 : 1)))
          refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
        else if (is_read) begin
          if (!(access[qp] & REMOTE_READ)) refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
          else if (max_reads[qp] == 0) refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_ACCESS_ERR);
          else if (bytes != 0 || reth_length > 32'h80000000) refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
          else if (reth_length != 0 && !allowed(pd[qp], reth_rkey, reth_va, reth_length, REMOTE_READ))
            refuse(NAK_ACCESS, LOC_ACCESS_ERR, QP_ACCESS_ERR);
          else begin
            if (read_count[qp] == max_reads[qp]) begin
              for (i = 0; i < 15; i = i + 1) begin
                read_psn[qp * 16 + i] = read_psn[qp * 16 + i + 1];
                read_packets[qp * 16 + i] = read_packets[qp * 16 + i + 1];
                read_va[qp * 16 + i] = read_va[qp * 16 + i + 1];
                read_rkey[qp * 16 + i] = read_rkey[qp * 16 + i + 1];
                read_length[qp * 16 + i] = read_length[qp * 16 + i + 1];
              end
              read_count[qp] = read_count[qp] - 1;
            end
            responses = packets_of(reth_length, mtu_log[qp]);
            i = qp * 16 + read_count[qp];
            read_psn[i] = psn;
            read_packets[i] = responses;
            read_va[i] = reth_va;
            read_rkey[i] = reth_rkey;
            read_length[i] = reth_length;
            read_count[qp] = read_count[qp] + 1;
            epsn[qp] = epsn[qp] + responses;
            msn[qp] = msn[qp] + 1;
            response = 0;
            left_to_read = reth_length;
            state = READ;
          end
        end else if (is_write && first && !(access[qp] & REMOTE_WRITE)) refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
        else if ((is_write ? with_imm : first) && posted[qp] == 0) begin
          rnr_nak[qp] = 1;
          answer(8'h11, RNR | rnr_timer[qp], psn, 1, 0, RECEIVE);
        end else begin
          if (first) begin
            message[qp] = is_write ? 2 : 1;
            so_far[qp] = 0;
            va[qp] = reth_va;
            rkey[qp] = reth_rkey;
            announced[qp] = reth_length;
          end
          if (is_write ? with_imm : first) taken[qp] = 1;
          left = so_far[qp] + bytes;
          if ((!last && (bytes != 1 << mtu_log[qp] || pad != 0)) || bytes > 1 << mtu_log[qp] || (bytes + pad) % 4 != 0
              || (last && !first && bytes == 0)) refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
          else if (!is_write) fetch(ring[qp] + ring_first[qp] * ring_stride[qp], PLACE);
          else if (left > announced[qp] || (last && left != announced[qp]) || announced[qp] > 32'h80000000)
            refuse(NAK_INVALID, LOC_QP_OP_ERR, QP_REQ_ERR);
          else if (announced[qp] != 0 && !allowed(pd[qp], rkey[qp], va[qp], announced[qp], REMOTE_WRITE))
            refuse(NAK_ACCESS, LOC_ACCESS_ERR, QP_ACCESS_ERR);
          else begin
            source = 54 + extension;
            to = va[qp] + so_far[qp];
            part = bytes;
            after_copy = TAKEN;
            state = COPY;
          end
        end
      end

      // 16 bytes of a descriptor, the first one lowest
      FETCH: begin
        fetched = {mem_rdata, fetched[127:8]};
        mem_addr <= mem_addr + 1;
        fetching = fetching + 1;
        if (fetching == 16) state = after_fetch;
      end

      // A SEND: the header of its receive is there.
      PLACE: begin
        elements = fetched[31:0];
        element = 0;
        skip = so_far[qp];
        left = bytes;
        source = 54 + extension;
        state = ELEMENT;
        if (so_far[qp] + bytes > fetched[95:32]) refuse(NAK_INVALID, LOC_LEN_ERR, QP_REQ_ERR);
      end

      ELEMENT:
        if (left == 0 || element == elements) state = TAKEN;
        else begin
          element = element + 1;
          fetch(ring[qp] + ring_first[qp] * ring_stride[qp] + 16 * element, ELEMENT_READ);
        end

      // `fetched`: address, length and L_Key of an element
      ELEMENT_READ: begin
        part = fetched[95:64];
        to = fetched[31:0] + (skip < part ? skip : part);
        part = skip < part ? part - skip : 0;
        skip = skip - (to - fetched[31:0]);
        if (part > left) part = left;
        left = left - part;
        after_copy = ELEMENT;
        state = COPY;
        if (part != 0 && !allowed(pd[qp], fetched[127:96], fetched[63:0], fetched[95:64], LOCAL_WRITE))
          refuse(NAK_OPERATIONAL, LOC_PROT_ERR, NO_EVENT);
      end

      COPY:
        if (part == 0) state = after_copy;
        else begin
          mem_addr <= to;
          mem_wdata <= buffer[source];
          mem_write <= 1;
          source = source + 1;
          to = to + 1;
          part = part - 1;
        end

      TAKEN: begin
        so_far[qp] = so_far[qp] + bytes;
        epsn[qp] = epsn[qp] + 1;
        if (last || fault == 2) msn[qp] = msn[qp] + 1;
        if (last) begin
          if (taken[qp]) begin
            up_kind <= 1;
            up_qp <= qp;
            up_code <= is_write ? SUCCESS_WRITE : SUCCESS_SEND;
            up_length <= so_far[qp];
            up_with_imm <= with_imm;
            up_imm <= immediate;
            posted[qp] = posted[qp] - 1;
            ring_first[qp] = ring_first[qp] + 1 == ring_size[qp] ? 0 : ring_first[qp] + 1;
          end
          taken[qp] = 0;
          message[qp] = 0;
        end
        if (ack_requested) answer(8'h11, ACK, psn, 1, 0, RECEIVE);
        else state = RECEIVE;
      end

      READ:
        if (response == responses) state = RECEIVE;
        else begin
          mem_addr <= reth_va + (response << mtu_log[qp]);
          part = left_to_read > 1 << mtu_log[qp] ? 1 << mtu_log[qp] : left_to_read;
          left_to_read = left_to_read - part;
          answer(responses == 1 ? 8'h10 : response == 0 ? 8'h0d : response + 1 == responses ? 8'h0f : 8'h0e, ACK, psn + response,
                 response == 0 || response + 1 == responses, part, READ);
          response = response + 1;
        end

      SEND: begin
        byte_ = 0;
        if (t_at < t_payload) byte_ = t_header[8 * (57 - t_at) +: 8];
        else if (t_at < t_payload + t_bytes) begin
          byte_ = mem_rdata;
          mem_addr <= mem_addr + 1;
        end else if (t_at >= t_end) byte_ = ~(t_crc >> 8 * (t_at - t_end));
        if (t_at >= 14 && t_at < t_end) t_crc = crc_next(t_crc, varies(t_at) ? 8'hff : byte_);
        tx_valid <= 1;
        tx_data <= byte_;
        tx_last <= t_at == t_end + 3;
        if (t_at == t_end + 3) state = after;
        t_at = t_at + 1;
      end

      // A request was refused: the receive that its message had taken, or an event, and the error state
      REPORT: begin
        up_kind <= taken[qp] ? 1 : failed_event == NO_EVENT ? 0 : 2;
        up_qp <= qp;
        up_code <= taken[qp] ? failed_code : failed_event;
        up_with_imm <= 0;
        up_length <= 0;
        state = FAILED;
      end

      FAILED: begin
        up_kind <= 3;
        up_qp <= qp;
        active[qp] = 0;
        message[qp] = 0;
        taken[qp] = 0;
        state = RECEIVE;
      end
    endcase
  end
endmodule
