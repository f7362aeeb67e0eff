import { OfficeError } from "../../domain/errors.ts";

export type EditRefusal =
  | "edit.not_json"
  | "edit.not_text"
  | "edit.patch_invalid"
  | "edit.path_invalid"
  | "edit.path_missing"
  | "edit.key_repeated"
  | "edit.test_failed"
  | "edit.precision_lost"
  | "edit.mask_sent"
  | "edit.path_masked"
  | "edit.schema_mismatch"
  | "edit.header_locked"
  | "edit.header_invalid"
  | "edit.too_large"
  | "edit.nothing_changed";

/** An edit that cannot be made as it was asked for. Nothing was changed. */
export class EditRefused extends Error {
  override readonly name = "EditRefused";
  readonly code: EditRefusal;
  /** For programs, besides the code. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: EditRefusal, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** What an edit cannot be is refused at the doors like anything else, with its own code beside. */
export function refusing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    const details = { ...error.details, because: error.code };
    throw new OfficeError("EDIT_REFUSED", error.message, { details, cause: error });
  }
}
