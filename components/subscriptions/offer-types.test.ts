import { expect, it } from "vitest";
import { offerTypes } from "./offer-types.ts";

const known = ["invoice.paid", "invoice.payment.failed", "user.created", "ping"];

it("offers every type, and a prefix for those that start the same", () => {
  expect(offerTypes(known, [], "")).toEqual([
    "invoice.*",
    "invoice.paid",
    "invoice.payment.failed",
    "ping",
    "user.created",
  ]);
});

it("leaves out what is chosen, and puts what starts with the text first", () => {
  expect(offerTypes(known, ["invoice.*"], "p")).toEqual([
    "ping",
    "invoice.paid",
    "invoice.payment.failed",
  ]);
});
