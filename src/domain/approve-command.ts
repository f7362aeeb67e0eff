/** A plan as whoever approves it names it. */
export interface ApprovedPlan {
  readonly id: string;
  readonly approvalHash: string;
  /** Codes of the risks that were accepted. */
  readonly risks: readonly string[];
}

/** What approves exactly this plan: without the risks that were accepted in it, it is refused. */
export function approveCommand({ id, approvalHash, risks }: ApprovedPlan): string {
  const named = risks.length === 0 ? "" : ` --risks ${risks.join(",")}`;
  return `dlo replay approve ${id} --hash ${approvalHash.slice(0, 12)}${named}`;
}
