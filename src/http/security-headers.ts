import type { FastifyReply } from "fastify";

/** Everything comes from the office itself, and nothing from anywhere else; nothing inline, nothing evaluated, nothing framed. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ");

/** For every answer, of whatever kind. */
export function setSecurityHeaders(reply: FastifyReply, isSecure: boolean): void {
  void reply.headers({
    "content-security-policy": contentPolicy,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cache-control": "no-store",
    ...(isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
  });
}
