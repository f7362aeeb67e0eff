/**
 * Who is next, and when: a binary heap over clients, known by number, that each have at most one event ahead of them.
 *
 * Made for tens of millions of events: plain typed arrays, nothing allocated per event. A client whose event has come
 * usually gets its next one at once, so moving the first is one pass down the heap instead of a removal and an insertion.
 */
export class EventQueue {
  #times: Float64Array;
  #clients: Int32Array;
  #size = 0;

  /** `capacity` is how many clients to make room for at first. */
  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
    this.#clients = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** When the first event is due. Only while `size` is above 0. */
  get firstTime(): number {
    return this.#times[0] ?? Number.NaN;
  }

  /** Whose event is first. Only while `size` is above 0. */
  get firstClient(): number {
    return this.#clients[0] ?? -1;
  }

  add(time: number, client: number): void {
    if (this.#size === this.#times.length) this.#grow();
    const times = this.#times;
    const clients = this.#clients;
    let index = this.#size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const parentTime = times[parent] ?? 0;
      if (parentTime <= time) break;
      times[index] = parentTime;
      clients[index] = clients[parent] ?? 0;
      index = parent;
    }
    times[index] = time;
    clients[index] = client;
  }

  /** The first client waits again, until `time`. */
  moveFirst(time: number): void {
    this.#sink(time, this.firstClient);
  }

  removeFirst(): void {
    const last = --this.#size;
    this.#sink(this.#times[last] ?? 0, this.#clients[last] ?? 0);
  }

  #grow(): void {
    const times = new Float64Array(2 * this.#size + 16);
    const clients = new Int32Array(times.length);
    times.set(this.#times);
    clients.set(this.#clients);
    this.#times = times;
    this.#clients = clients;
  }

  /** Puts an event in the place of the first and lets it sink to where it belongs. */
  #sink(time: number, client: number): void {
    const times = this.#times;
    const clients = this.#clients;
    const size = this.#size;
    let index = 0;
    for (let child = 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && (times[child + 1] ?? 0) < (times[child] ?? 0)) child++;
      const childTime = times[child] ?? 0;
      if (childTime >= time) break;
      times[index] = childTime;
      clients[index] = clients[child] ?? 0;
      index = child;
    }
    times[index] = time;
    clients[index] = client;
  }
}
