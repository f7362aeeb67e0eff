import { type Clock, pause } from "../../domain/clock.ts";
import { Unprocessable } from "../../domain/handler-errors.ts";
import { partnerTroubles, returningPartner } from "./partners.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Charge {
  readonly order: number;
  readonly bank: "northbank" | "southbank";
  readonly cents: number;
  /** Whether there is money behind it; only the bank knows, once it answers. */
  readonly covered: boolean;
}

const chargedAfterMs = 80;
const refusedAfterMs = 200;

/** Charges a customer at payments-api, where banks are asked. */
export async function charge(
  { order, bank, covered }: Charge,
  { clock, around, signal }: { readonly clock: Clock; readonly around: Surroundings; readonly signal: AbortSignal },
): Promise<void> {
  const away = !around.paymentsUp ? "payments-api" : bank === "northbank" && !around.northbankUp ? bank : null;
  if (away !== null) {
    await pause(clock, refusedAfterMs, signal);
    // Refused before anything was sent: unlike after a time-out, it is certain that nobody was charged.
    const refused = new Error(`${away} refused the connection for order ${order}`);
    throw named("ConnectionRefused", Object.assign(refused, { code: "ECONNREFUSED" }));
  }
  await pause(clock, chargedAfterMs, signal);
  if (!covered) throw named("CardDeclined", new Unprocessable(`card declined for order ${order}: insufficient funds`));
}

export interface Booking {
  readonly account: string;
  readonly booking: number;
  readonly cents: number;
  readonly currency: "EUR" | "SEK";
}

/** The bookings of one account run in the order they were made: a later one must not be booked on a balance that is not there yet. */
export function book({ booking, currency }: Booking, { ratesUp }: Surroundings): void {
  if (currency === "EUR" || ratesUp) return;
  const refused = new Error(`rates-api refused the connection for booking ${booking}`);
  throw named("ConnectionRefused", Object.assign(refused, { code: "ECONNREFUSED" }));
}

export interface Invoice {
  readonly invoice: number;
  readonly parcels: number;
}

/** Nobody thought of half a parcel: the bug that makes an invoice poison, until 4.2.1. */
export function printInvoice({ invoice, parcels }: Invoice, version: string): readonly string[] {
  const pages = version === "4.2.0" ? parcels : Math.ceil(parcels);
  return new Array<string>(pages).fill(`invoice ${invoice}`);
}

export interface CreditCheck {
  readonly customer: number;
  readonly cents: number;
  readonly limitCents: number;
}

/** A rule of the business, and no bug: only a person can decide what becomes of the customer. */
export function checkCredit({ customer, cents, limitCents }: CreditCheck): void {
  if (cents <= limitCents) return;
  const text = `customer ${customer} is ${cents - limitCents} cents over their credit limit`;
  throw named("CreditLimitExceeded", new Unprocessable(text, { kind: "business" }));
}

export interface TenantChange {
  readonly tenant: number;
  readonly closed: boolean;
}

/** What is asked of somebody who has left cannot be done any more. */
export function changeTenant({ tenant, closed }: TenantChange): void {
  if (!closed) return;
  const gone = Object.assign(new Error(`tenant ${tenant} does not exist any more`), { status: 410 });
  throw named("TenantNotFoundError", gone);
}

export interface Mail {
  readonly order: number;
  readonly bounces: boolean;
}

/** An error that says nothing: somebody has to look. */
export function sendMail({ bounces }: Mail): void {
  if (bounces) throw new Error("could not send");
}

export interface PartnerDelivery {
  readonly partner: string;
  readonly delivery: number;
  /** The partner's key for it is not good any more; it only says so once it answers. */
  readonly staleKey: boolean;
}

export function deliver({ partner, staleKey }: PartnerDelivery, { partnerBack }: Surroundings): void {
  if (partner === returningPartner && partnerBack) {
    if (staleKey) throw httpError("POST /deliveries: 403 Forbidden, unknown key", 403);
    return;
  }
  const trouble = partnerTroubles.find((each) => each.partner === partner);
  if (trouble === undefined) return;
  const { failure, message, code, status } = trouble;
  throw named(
    failure,
    Object.assign(new Error(message), code === undefined ? {} : { code }, status === undefined ? {} : { status }),
  );
}

function httpError(message: string, status: number): Error {
  return named("HttpError", Object.assign(new Error(message), { status }));
}

function named<Thrown extends Error>(name: string, error: Thrown): Thrown {
  return Object.assign(error, { name });
}
