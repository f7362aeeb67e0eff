/** An answer as it goes over the wire. */
export type Writer = (answer: object, check: (answer: object) => unknown) => Buffer;

/** What is given to many at once is one object for all of them: it is checked against its schema and written for the first, and kept as long as it is. */
export function writtenOnce(): Writer {
  const written = new WeakMap<object, Buffer>();
  return (answer, check) => {
    const known = written.get(answer) ?? Buffer.from(JSON.stringify(check(answer)));
    written.set(answer, known);
    return known;
  };
}
