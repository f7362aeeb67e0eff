/** Where consumers find the idempotency key: a header, or a JSON pointer into the body. */
export type KeyPlace = { readonly header: string } | { readonly pointer: string };

/** The empty pointer is the body itself, which is no key. */
export const pointerPattern = /^(?:\/(?:[^~]|~[01])*)$/u;

export function showKeyPlace(place: KeyPlace): string {
  return "header" in place ? `header ${place.header}` : place.pointer;
}
