import { expect, it } from "vitest";
import { listFitting } from "./list-fitting.ts";

const saved = (id: string, origin: string) => ({ id, name: id.toUpperCase(), origin });
const crm = saved("crm", "https://crm.example.com");
const erp = saved("erp", "http://10.0.0.7:8080");
const stripe = saved("stripe", "https://api.stripe.com");
const fake = saved("fake", "http://127.0.0.1:4000");
const own = saved("own", "https://gitlab.example.com");
const com = saved("com", "https://gitlab.com");

const stripeApi = {
  origin: "https://api.stripe.com",
  isOrigin: (origin: string) => origin === "https://api.stripe.com",
};

it("offers only credentials of the provider, and without any, those that may be for a proxy of it", () => {
  const list = (...credentials: (typeof crm)[]) => listFitting(credentials, stripeApi, null);
  expect(list(crm, erp, stripe, fake)).toEqual([{ id: "stripe", name: "STRIPE" }]);
  expect(list(crm, fake)).toEqual([{ id: "fake", name: "FAKE (127.0.0.1:4000)" }]);
  expect(list(crm)).toEqual([]);
  expect(listFitting([erp, fake, stripe], stripeApi, "fake").map(({ id }) => id)).toEqual([
    "stripe",
    "fake",
  ]);
});

it("names the host of an installation, after the provider's own", () => {
  const gitlab = {
    origin: "https://gitlab.com",
    isOrigin: (at: string) => at.startsWith("https:"),
  };
  expect(listFitting([own, com], gitlab, null)).toEqual([
    { id: "com", name: "COM" },
    { id: "own", name: "OWN (gitlab.example.com)" },
  ]);
});
