import { expect, test } from "vitest";
import { mergeClaims } from "./merge-claims.ts";

const ada = "ada@example.com";
const eve = "eve@example.com";

test.each([
  ["the ID token alone", { email: ada, email_verified: true }, {}, ada, true],
  ["the user info alone", {}, { email: ada, email_verified: true }, ada, true],
  ["both", { email: ada }, { email: ada, email_verified: true }, ada, true],
  ["another email", { email: ada }, { email: eve, email_verified: true }, ada, false],
  ["no email", { email_verified: true }, { email: ada }, ada, false],
  ["a denial", { email: ada, email_verified: false }, { email: ada }, ada, false],
  ["text", { email: ada, email_verified: "true" }, {}, ada, false],
])("an email is verified by the source that names it: %s", (_, token, info, email, isVerified) => {
  expect(mergeClaims(token, info)).toMatchObject({ email, email_verified: isVerified });
});

test("what the ID token says counts, and the user info adds to it", () => {
  const merged = mergeClaims({ sub: "1", groups: ["a"] }, { sub: "1", groups: ["b"], name: "Ada" });
  expect(merged).toMatchObject({ sub: "1", groups: ["a"], name: "Ada" });
});
