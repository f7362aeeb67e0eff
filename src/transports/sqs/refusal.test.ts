import { expect, it } from "vitest";
import { isLost, refusalOf } from "./refusal.ts";

it("takes a message that was hidden for twelve hours for lost, as AWS and others say it", () => {
  const reasons = [
    "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]",
    "The visibility timeout exceeds the maximum",
  ];
  expect(reasons.map((message) => isLost({ code: "InvalidParameterValue", message }))).toEqual([true, true]);
  expect(isLost({ code: "InternalError", message: "try again" })).toBe(false);
});

it("names a way out of what nobody foresaw, too", () => {
  const { code, message } = refusalOf(new Error("socket hang up"), "sqs:SendMessage to orders");
  expect([code, message]).toEqual(["TRANSPORT_UNAVAILABLE", expect.stringContaining("look at the endpoint")]);
});
