/** The values of a statement, each under its number. */
export class Parameters {
  readonly values: unknown[] = [];

  /** How the value stands in the statement. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
