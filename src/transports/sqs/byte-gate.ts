/** Does work that takes so many bytes of memory. */
export type ByteGate = <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Lets work begin while there is room for it, in the order in which it came; what is larger than all the room goes alone. */
export function byteGate(maxBytes: number): ByteGate {
  const waiting: Waiting[] = [];
  let inside = 0;
  const letIn = () => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (inside + next.bytes > maxBytes) return;
      waiting.shift();
      inside += next.bytes;
      next.enter();
    }
  };
  return async (wanted, work) => {
    const bytes = Math.min(wanted, maxBytes);
    await new Promise<void>((enter) => {
      waiting.push({ bytes, enter });
      letIn();
    });
    try {
      return await work();
    } finally {
      inside -= bytes;
      letIn();
    }
  };
}
