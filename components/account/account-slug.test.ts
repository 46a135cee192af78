import { expect, test } from "vitest";
import { accountSlugSchema } from "#lib/schema/account/setup.ts";
import { suggestAccount } from "./account-slug.ts";

test.each([
  ["ada@acme.com", "acme"],
  ["ada@mail.acme.co.uk", "acme"],
  ["ada@shop.acme.com", "acme"],
  ["ada@gmail.com", ""],
  ["ada@localhost", ""],
  ["ada", ""],
])("%s suggests the account “%s”", (email, account) => {
  expect(suggestAccount(email)).toBe(account);
  if (account !== "") expect(accountSlugSchema.safeParse(account).success).toBe(true);
});
