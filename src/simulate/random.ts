import type { Random } from "../domain/clock.ts";

/**
 * Dice that fall the same way for the same seed, on every machine (sfc32).
 *
 * The seed is text, so that a run can give each of its parts dice of its own (`"1/full/100"`): a part then comes out
 * the same whether it is run alone or among others.
 */
export function seededRandom(seed: string): Random {
  let [a, b, c, counter] = seedWords(seed);
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  // Similar seeds start out with similar numbers; a few rounds drive them apart.
  for (let round = 0; round < 16; round++) next();
  return next;
}

/** Numbers distributed normally around 0 with standard deviation 1 (Marsaglia's polar method, which makes two at a time). */
export function normalVariates(random: Random): () => number {
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const second = spare;
      spare = Number.NaN;
      return second;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
}

/** Four words from a text, by FNV-1a with a different start for each. */
function seedWords(seed: string): [number, number, number, number] {
  const word = (start: number) => {
    let hash = start | 0;
    for (let index = 0; index < seed.length; index++) {
      hash = Math.imul(hash ^ seed.charCodeAt(index), 0x0100_0193);
    }
    return hash;
  };
  return [word(0x811c_9dc5), word(0x9e37_79b9), word(0x243f_6a88), 1];
}
