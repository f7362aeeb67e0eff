import type { PutBackRefusal } from "../job-framework.ts";

export const notUnique: PutBackRefusal = {
  why: "The policy of its queue allows one such job at a time, and there is another by now.",
  change: "Wait until that one is done, or drop this one.",
};
