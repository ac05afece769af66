/**
 * Number of the frame that each event of a trace came from. Frames that gave no event are the exception, so only the
 * places where the distance between the two counts changes are kept: memory does not grow with the capture.
 */
export class FrameNumbers {
  readonly #starts: number[] = [];
  readonly #frames: number[] = [];

  /** Event `event` came from frame `frame`; both rise from call to call. */
  add(event: number, frame: number): void {
    const last = this.#starts.length - 1;
    const start = this.#starts[last];
    const first = this.#frames[last];
    if (start !== undefined && first !== undefined && frame - event === first - start) return;
    this.#starts.push(event);
    this.#frames.push(frame);
  }

  /** Frame of an event; undefined for one before all that were added. */
  frameOf(event: number): number | undefined {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? Infinity) <= event) low = middle + 1;
      else high = middle;
    }
    const start = this.#starts[low - 1];
    const frame = this.#frames[low - 1];
    return start === undefined || frame === undefined ? undefined : frame + (event - start);
  }
}
