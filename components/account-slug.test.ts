import { expect, test } from "vitest";
import { accountSlugSchema } from "#lib/schema/setup.ts";
import { suggestAccount, toAccountSlug } from "./account-slug.ts";

test.each([
  ["Acme Inc.", "acme-inc-"],
  ["Müller & Söhne", "muller-sohne"],
  ["--x", "x"],
  ["日本", ""],
])("%s is typed as %s", (typed, slug) => {
  expect(toAccountSlug(typed)).toBe(slug);
});

test.each([
  ["ada@acme.com", "acme"],
  ["ada@mail.acme.co.uk", "acme"],
  ["ada@shop.acme.com", "acme"],
  ["ada@gmail.com", ""],
  ["ada@localhost", ""],
  ["ada", ""],
])("the account of %s is suggested as “%s”", (email, account) => {
  expect(suggestAccount(email)).toBe(account);
  if (account !== "") expect(accountSlugSchema.safeParse(account).success).toBe(true);
});
