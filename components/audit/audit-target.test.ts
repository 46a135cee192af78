import { expect, it } from "vitest";
import { nameOfTarget, wordOfTarget } from "./audit-target.ts";

const id = "01a217b0-c8f4-70bd-95e0-909ab3000000";

it.each([
  [{ type: "hook", id, name: "Payments" }, "Payments", "Payments"],
  [{ type: "recipient", id: "cust_42" }, "cust_42", "cust_42"],
  [{ type: "masked_field", id, name: "" }, id, "Masked field"],
  [{ type: "backtest", id }, id, "Backtest"],
])(
  "a list names %j by a word that people know, and its details by its id",
  (target, name, word) => {
    expect(nameOfTarget(target)).toBe(name);
    expect(wordOfTarget(target)).toBe(word);
  },
);
