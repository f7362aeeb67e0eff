import type { StandardSchema } from "../../runtime/decode.ts";

/** What is said of an order once it is placed. Version 3 says `amount` where earlier ones said `total`. */
export interface OrderPlaced {
  readonly order: number;
  readonly total?: number;
  readonly amount?: number;
}

/** As the consumer of that version understands it: 2.15.0 is the first that knows `amount`. */
export function orderPlacedSchema(version: string): StandardSchema<OrderPlaced> {
  const fields = version === "2.14.3" ? ["total"] : ["total", "amount"];
  return {
    "~standard": {
      version: 1,
      vendor: "dead-letter-office",
      validate(value) {
        const has = (field: string) => typeof value === "object" && value !== null && field in value;
        if (fields.some(has)) return { value: value as OrderPlaced };
        return { issues: [{ message: "is missing", path: ["total"] }] };
      },
    },
  };
}

/** Which versions of the message each version of the consumer handles, as it tells the office. */
export function handledVersions(version: string): readonly string[] {
  return version === "2.14.3" ? ["1", "2"] : ["1", "2", "3"];
}
