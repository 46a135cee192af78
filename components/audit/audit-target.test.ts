import { expect, it } from "vitest";
import { nameOfTarget, nameTargets } from "./audit-target.ts";

const id = "01a217b0-c8f4-70bd-95e0-909ab3000000";

it.each([
  [{ type: "hook", id, name: "Payments" }, "Payments", "hook Payments"],
  [{ type: "recipient", id: "cust_42" }, "cust_42", "recipient cust_42"],
  [{ type: "api_token", id }, id, "an API token"],
  [{ type: "user", id, name: "ada@example.com" }, "ada@example.com", "ada@example.com"],
])(
  "a sentence names %j by words that people know, and its details by its id",
  (target, name, words) => {
    expect(nameOfTarget(target)).toBe(name);
    expect(nameTargets([target])).toBe(words);
    expect(nameTargets([target, target, target])).toBe(`${words} and 2 more`);
  },
);
