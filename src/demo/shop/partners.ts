/** What goes wrong with one partner of the shop's, and how often it did. */
export interface PartnerTrouble {
  readonly partner: string;
  readonly failure: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  /** Deliveries to it that died before anybody looked. */
  readonly letters: number;
}

/** The one that comes back: `comesBack` says which of its deliveries it then takes. */
export const returningPartner = "acme";

/** Small troubles beside the large ones: a group each. */
export const partnerTroubles: readonly PartnerTrouble[] = [
  { partner: "acme", failure: "Error", message: "read ECONNRESET", code: "ECONNRESET", letters: 14 },
  {
    partner: "bolt",
    failure: "Error",
    message: "getaddrinfo ENOTFOUND hooks.bolt.test",
    code: "ENOTFOUND",
    letters: 3,
  },
  { partner: "cairn", failure: "HttpError", message: "POST /hooks answered 502 Bad Gateway", status: 502, letters: 11 },
  {
    partner: "delta",
    failure: "HttpError",
    message: "POST /v2/events: 429 Too Many Requests",
    status: 429,
    letters: 9,
  },
  { partner: "ember", failure: "Error", message: "certificate has expired", code: "CERT_HAS_EXPIRED", letters: 4 },
  { partner: "fjord", failure: "HttpError", message: "PUT /inbox: 401 Unauthorized", status: 401, letters: 6 },
  {
    partner: "grove",
    failure: "HttpError",
    message: "POST /callback: 403 Forbidden, key revoked",
    status: 403,
    letters: 5,
  },
  { partner: "haven", failure: "HttpError", message: "POST /orders/new: 404 Not Found", status: 404, letters: 8 },
  {
    partner: "inlet",
    failure: "HttpError",
    message: "POST /stock answered 503 Service Unavailable",
    status: 503,
    letters: 10,
  },
  { partner: "jetty", failure: "SyntaxError", message: "Unexpected token '<' in the answer of jetty", letters: 7 },
  {
    partner: "knoll",
    failure: "TypeError",
    message: "Cannot read properties of undefined (reading 'street')",
    letters: 5,
  },
  { partner: "larch", failure: "Error", message: "connect ETIMEDOUT 192.0.2.18:443", code: "ETIMEDOUT", letters: 9 },
  { partner: "mesa", failure: "ValidationError", message: "weight must be greater than 0", letters: 6 },
  { partner: "north", failure: "Error", message: "socket hang up", code: "ECONNRESET", letters: 4 },
  { partner: "opal", failure: "Error", message: "it did not work", letters: 3 },
  {
    partner: "pine",
    failure: "DuplicateKeyError",
    message: "duplicate key value violates unique constraint pine_ref",
    code: "23505",
    letters: 5,
  },
  { partner: "quay", failure: "HttpError", message: "POST /parcels: 413 Payload Too Large", status: 413, letters: 4 },
];
