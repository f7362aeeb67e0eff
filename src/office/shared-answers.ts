interface Turn {
  readonly running: Promise<unknown>;
  /** Begins when that one is over; for all who came meanwhile. */
  next: Promise<unknown> | null;
}

/** Answers a question for whoever asks it at the same time. */
export type ShareAnswer = <Answer>(question: string, ask: () => Promise<Answer>) => Promise<Answer>;

/**
 * One question is asked once at a time, however many want to know: who comes while it is being asked waits for the next time, and
 * all who wait share that. Nobody gets an answer that was begun before they asked, so that everybody sees what they just did.
 */
export function sharedAnswers(): ShareAnswer {
  const turns = new Map<string, Turn>();

  function begin<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const running = (async () => ask())();
    const turn: Turn = { running, next: null };
    turns.set(question, turn);
    const over = () => {
      if (turn.next === null) turns.delete(question);
    };
    running.then(over, over);
    return running;
  }

  return <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const turn = turns.get(question);
    if (turn === undefined) return begin(question, ask);
    const afterwards = () => begin(question, ask);
    turn.next ??= turn.running.then(afterwards, afterwards);
    // The same question has the same kind of answer.
    return turn.next as Promise<Answer>;
  };
}
