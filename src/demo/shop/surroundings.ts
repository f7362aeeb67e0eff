/** What the shop depends on and cannot help. The script changes it, handlers meet it. */
export interface Surroundings {
  /** payments-api answers at all. */
  paymentsUp: boolean;
  /** One bank behind payments-api answers in time. */
  northbankUp: boolean;
  /** The service of exchange rates answers. */
  ratesUp: boolean;
  /** The partner that broke its connections takes deliveries again. */
  partnerBack: boolean;
}

/** As it is when somebody opens the demonstration: in the middle of a bad night. */
export function badNight(): Surroundings {
  return { paymentsUp: true, northbankUp: false, ratesUp: false, partnerBack: false };
}
