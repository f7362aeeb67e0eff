import { peek } from "../app/peek.ts";

interface PeekButtonProps {
  readonly id: string;
  /** What the row is about. */
  readonly what: string;
}

/** What Space does in a row, for the mouse and the thumb. */
export function PeekButton({ id, what }: PeekButtonProps) {
  return (
    <button type="button" className="peek" aria-label={`Look beside the list at ${what}`} onClick={() => peek(id)}>
      <svg viewBox="0 0 18 14" width="18" height="14" aria-hidden="true">
        <path d="M1 1h16v12H1zM11 1v12" />
      </svg>
    </button>
  );
}
