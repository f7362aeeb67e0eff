/** Which of several offices this is, so that nobody takes production for a test. */
export interface Environment {
  /** Such as production. */
  readonly name: string;
  /** A colour of CSS, by name or as #rrggbb; null for the one that goes with the name. */
  readonly colour: string | null;
}
