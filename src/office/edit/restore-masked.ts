import {
  type JsonArray,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  parseJsonText,
  sourceOf,
} from "../../domain/json-text.ts";
import { mask } from "../../domain/redaction.ts";
import { EditRefused } from "./edit-refused.ts";
import { formatPointer, quote } from "./json-pointer.ts";

export interface MaskedEdit {
  readonly original: string;
  /** The original as whoever edits it saw it. */
  readonly shown: string;
  readonly edited: string;
}

/**
 * An edited JSON text with what its editor was not shown put back. A mask stands for the value of its own place and is
 * refused anywhere else: which value it should be there, only somebody who can see it knows.
 */
export function restoreMasked({ original, shown, edited }: MaskedEdit): string {
  if (!edited.includes(mask) || original === shown) return edited;
  const restoring = new Restoring({ original, shown, edited });
  return restoring.restored(parseJsonText(edited), parseJsonText(shown), parseJsonText(original));
}

type Path = readonly (string | number)[];

/** The same place in the three texts; null where one of them has no such place. */
interface Place {
  readonly edited: JsonNode;
  readonly shown: JsonNode | null;
  readonly original: JsonNode | null;
  readonly path: Path;
}

class Restoring {
  readonly #texts: MaskedEdit;
  /** Of the edited text, in order. */
  readonly #splices: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(texts: MaskedEdit) {
    this.#texts = texts;
  }

  restored(edited: JsonNode, shown: JsonNode, original: JsonNode): string {
    this.#visit({ edited, shown, original, path: [] });
    return this.#splices.reduceRight(
      (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
      this.#texts.edited,
    );
  }

  #visit(place: Place): void {
    const { edited, shown, original } = place;
    if (!this.#edited(edited).includes(mask)) return;
    if (shown !== null && original !== null && this.#edited(edited) === this.#shown(shown))
      this.#splices.push({ start: edited.start, end: edited.end, text: sourceOf(this.#texts.original, original) });
    else if (edited.kind === "object") this.#visitMembers(place, edited);
    else if (edited.kind === "array") this.#visitItems(place, edited);
    else throw misplaced(place.path);
  }

  /** A member is known by its name, which may be masked itself; then no other may look the same. */
  #visitMembers({ shown, original, path }: Place, edited: JsonObject): void {
    for (const member of edited.members) {
      const { key, value } = member;
      const place = [...path, key];
      const index = onlyIndex(shown, key);
      const [seen, own] = [membersOf(shown)[index] ?? null, membersOf(original)[index] ?? null];
      if (key.includes(mask)) this.#restoreName(member, own, place);
      this.#visit({ edited: value, shown: seen?.value ?? null, original: own?.value ?? null, path: place });
    }
  }

  #restoreName({ start, value }: JsonMember, own: JsonMember | null, path: Path): void {
    if (own === null) throw misplaced(path);
    this.#splices.push({ start, end: value.start, text: this.#texts.original.slice(own.start, own.value.start) });
  }

  /**
   * A list that was not touched keeps its masks; in any other an item is known by its place, unless it looks like another one's.
   * One that was changed is known only where all others with a mask still stand in their places: items before it may be gone.
   */
  #visitItems({ shown, original, path }: Place, edited: JsonArray): void {
    if (shown?.kind !== "array" || original?.kind !== "array") throw misplaced(path);
    const isTouched = this.#edited(edited) !== this.#shown(shown);
    if (isTouched && edited.items.length !== shown.items.length) throw misplaced(path);
    const looks = shown.items.map((item) => this.#shown(item));
    const changed = edited.items.flatMap((item, index) => {
      const [look, was = ""] = [this.#edited(item), looks[index]];
      return look !== was && `${look}${was}`.includes(mask) ? [index] : [];
    });
    edited.items.forEach((item, index) => {
      const place = [...path, index];
      const look = this.#edited(item);
      const isAnother = looks.some((other, at) => at !== index && other === look);
      const isLost = changed.includes(index) && changed.length > 1;
      if (isTouched && look.includes(mask) && (isAnother || isLost)) throw misplaced(place);
      this.#visit({
        edited: item,
        shown: shown.items[index] ?? null,
        original: original.items[index] ?? null,
        path: place,
      });
    });
  }

  #edited(node: JsonNode): string {
    return sourceOf(this.#texts.edited, node);
  }

  #shown(node: JsonNode): string {
    return sourceOf(this.#texts.shown, node);
  }
}

function membersOf(node: JsonNode | null): readonly JsonMember[] {
  return node?.kind === "object" ? node.members : [];
}

/** Where the one member of that name stands, which is the same in what was shown and in the original; -1 without one. */
function onlyIndex(shown: JsonNode | null, key: string): number {
  const members = membersOf(shown);
  const index = members.findIndex((member) => member.key === key);
  return members.some((member, at) => at > index && member.key === key) ? -1 : index;
}

function misplaced(path: Path): EditRefused {
  return new EditRefused(
    "edit.mask_sent",
    `The mask ${mask} at ${quote(formatPointer(path))} does not stand where it stood: it would be sent as text, or as another place's value. Leave masks where they are, or send a patch that names only what changes.`,
  );
}
