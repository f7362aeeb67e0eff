/** What somebody else has written, field by field to be looked at; without any where it is no object of JSON. */
export function parsedObject(json: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(json)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
