import { z } from "zod";
import { pointerPattern } from "../../domain/key-place.ts";

const longest = 300;

/** Where consumers find the idempotency key of a message: a header, or a JSON pointer into the body. */
export const keyPlace = z.union([
  z.strictObject({ header: z.string().min(1).max(longest) }),
  z.strictObject({ pointer: z.string().max(longest).regex(pointerPattern, "a JSON pointer such as /order/id") }),
]);
