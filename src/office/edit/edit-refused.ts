export type EditRefusal =
  | "edit.not_json"
  | "edit.not_text"
  | "edit.patch_invalid"
  | "edit.path_invalid"
  | "edit.path_missing"
  | "edit.key_repeated"
  | "edit.test_failed"
  | "edit.precision_lost";

/** An edit that cannot be made as it was asked for. Nothing was changed. */
export class EditRefused extends Error {
  override readonly name = "EditRefused";
  readonly code: EditRefusal;

  constructor(code: EditRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
