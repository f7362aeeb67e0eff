import { z } from "zod";
import { pointerPattern } from "../domain/key-place.ts";

const header = z.string().min(1, "must not be empty");
const pointer = header.regex(pointerPattern, "must be a JSON pointer such as /order/id");

/** In the policy, in the configuration, and of a source that is connected in the web UI. */
export const keyPlaceSchema = z.union([z.strictObject({ header }), z.strictObject({ pointer })]);
