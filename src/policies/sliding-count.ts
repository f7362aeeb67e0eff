/**
 * How many happened lately, in constant time and memory: the window is cut into buckets, and what is older than the
 * oldest bucket is forgotten a bucket at a time.
 *
 * The count covers the bucket that is filling and the `buckets - 1` full ones before it. A clock that steps back counts
 * into the bucket that is filling.
 */
export class SlidingCount {
  readonly #bucketMs: number;
  readonly #counts: Float64Array;
  #filling = 0;
  #endsAt = Number.NEGATIVE_INFINITY;
  #total = 0;

  constructor(bucketMs: number, buckets: number) {
    this.#bucketMs = bucketMs;
    this.#counts = new Float64Array(buckets);
  }

  add(now: number, count = 1): void {
    if (now >= this.#endsAt) this.#roll(now);
    const filling = this.#filling;
    this.#counts[filling] = (this.#counts[filling] ?? 0) + count;
    this.#total += count;
  }

  total(now: number): number {
    if (now >= this.#endsAt) this.#roll(now);
    return this.#total;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }

  #roll(now: number): void {
    const buckets = this.#counts.length;
    const passed = Math.floor((now - this.#endsAt) / this.#bucketMs) + 1;
    if (passed >= buckets) this.clear();
    else for (let step = 0; step < passed; step++) this.#forget((this.#filling + 1 + step) % buckets);
    this.#filling = passed >= buckets ? 0 : (this.#filling + passed) % buckets;
    // Buckets begin at multiples of their length, so that those of different counts agree.
    this.#endsAt = (Math.floor(now / this.#bucketMs) + 1) * this.#bucketMs;
  }

  #forget(bucket: number): void {
    this.#total -= this.#counts[bucket] ?? 0;
    this.#counts[bucket] = 0;
  }
}
