export type OutboundRefusal =
  | "outbound.url_invalid"
  | "outbound.address_not_allowed"
  | "outbound.redirects_exceeded"
  | "outbound.answer_too_large"
  | "outbound.timed_out";

/** A call that was not made, or was given up. Whatever the other side did before is not known from it. */
export class OutboundRefused extends Error {
  override readonly name = "OutboundRefused";
  readonly code: OutboundRefusal;

  constructor(code: OutboundRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
