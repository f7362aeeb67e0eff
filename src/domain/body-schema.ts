/** What the bodies of some letters must be. */
export interface BodySchema {
  /** As people know it: its file, as the configuration names it. */
  readonly name: string;
  /** What is wrong with a body, parsed; empty when nothing is. */
  complaintsAbout(body: unknown): readonly SchemaComplaint[];
}

export interface SchemaComplaint {
  /** A JSON Pointer; "" is the whole body. */
  readonly path: string;
  /** The end of a sentence about that place, such as `must be number`. It quotes nothing of the body but names. */
  readonly message: string;
}

/** What decides which schema is a letter's. */
export interface SchemaSubject {
  /** It failed in. */
  readonly queue: string;
  /** The kind of message, as the letter names it. */
  readonly type: string | null;
}

/** Null where none is known. Rejects where one is named that cannot be used. */
export type FindSchema = (letter: SchemaSubject) => Promise<BodySchema | null>;
