// The receive path behind a pipe: commands of the driver on stdin, one a line; what the device does, and "." at the end, on stdout.
// Time stands still while the driver thinks.
module bench;
  localparam STDIN = 32'h8000_0000, MEMORY = 1 << 22;
  reg clk = 0, rst = 1, rx_valid = 0, rx_last = 0, cfg_write = 0;
  reg [7:0] rx_data = 0;
  reg [4:0] cfg_field = 0;
  reg [15:0] cfg_index = 0;
  reg [63:0] cfg_data = 0;
  reg [1:0] fault = 0;
  wire busy, tx_valid, tx_last, mem_write, up_with_imm;
  wire [7:0] tx_data, mem_wdata;
  wire [31:0] mem_addr, up_length, up_imm;
  wire [15:0] up_qp;
  wire [1:0] up_kind;
  wire [2:0] up_code;
  reg [7:0] memory [0:MEMORY-1];

  rc_receive nic (
    .clk(clk), .rst(rst), .fault(fault), .rx_valid(rx_valid), .rx_last(rx_last), .rx_data(rx_data), .busy(busy),
    .tx_valid(tx_valid), .tx_last(tx_last), .tx_data(tx_data), .mem_addr(mem_addr), .mem_write(mem_write), .mem_wdata(mem_wdata),
    .mem_rdata(memory[mem_addr % MEMORY]), .cfg_write(cfg_write), .cfg_field(cfg_field), .cfg_index(cfg_index), .cfg_data(cfg_data),
    .up_kind(up_kind), .up_qp(up_qp), .up_code(up_code), .up_length(up_length), .up_with_imm(up_with_imm), .up_imm(up_imm));

  always #5 clk = !clk;

  reg sending = 0;
  always @(negedge clk) begin
    if (mem_write) memory[mem_addr % MEMORY] = mem_wdata;
    if (tx_valid) begin
      if (!sending) $write("T ");
      $write("%02x", tx_data);
      if (tx_last) $write("\n");
      sending = !tx_last;
    end
    if (up_kind == 1) $write("C %0d %0d %0d %0d %0d\n", up_qp, up_code, up_length, up_with_imm, up_imm);
    if (up_kind == 2) $write("E %0d %0d\n", up_qp, up_code);
    if (up_kind == 3) $write("F %0d\n", up_qp);
  end

  integer got, i, address, count;
  reg [7:0] command;
  initial begin
    if (!$value$plusargs("fault=%d", fault)) fault = 0;
    repeat (2) @(negedge clk);
    rst = 0;
    got = $fscanf(STDIN, " %c", command);
    while (got == 1) begin
      case (command)
        "X": begin // as new
          rst = 1;
          @(negedge clk) rst = 0;
        end
        "G": begin // FIELD INDEX VALUE: a register
          got = $fscanf(STDIN, "%d %d %h", cfg_field, cfg_index, cfg_data);
          cfg_write = 1;
          @(negedge clk) cfg_write = 0;
        end
        "Q": begin // QP: its expected PSN
          got = $fscanf(STDIN, "%d", i);
          $write("Q %0d\n", nic.epsn[i]);
        end
        "Z": begin // ADDRESS COUNT: zeros
          got = $fscanf(STDIN, "%d %d", address, count);
          for (i = 0; i < count; i = i + 1) memory[address + i] = 0;
        end
        "W": begin // ADDRESS COUNT BYTES: host memory is written
          got = $fscanf(STDIN, "%d %d ", address, count);
          for (i = 0; i < count; i = i + 1) begin
            got = $fscanf(STDIN, "%2h", command);
            memory[address + i] = command;
          end
        end
        "R": begin // ADDRESS COUNT: and read
          got = $fscanf(STDIN, "%d %d", address, count);
          $write("R ");
          for (i = 0; i < count; i = i + 1) $write("%02x", memory[address + i]);
          $write("\n");
        end
        "D": begin // COUNT BYTES: a frame arrives
          got = $fscanf(STDIN, "%d ", count);
          rx_valid = 1;
          for (i = 0; i < count; i = i + 1) begin
            got = $fscanf(STDIN, "%2h", rx_data);
            rx_last = i == count - 1;
            @(negedge clk);
          end
          rx_valid = 0;
          @(negedge clk);
          while (busy) @(negedge clk);
          repeat (2) @(negedge clk);
        end
        default: $write("? %c\n", command);
      endcase
      $write(".\n");
      $fflush;
      got = $fscanf(STDIN, " %c", command);
    end
    $finish;
  end
endmodule
