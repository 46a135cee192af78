import { expect, test } from "vitest";
import { mergeClaims } from "./claims.ts";

const ada = "ada@example.com";
const eve = "eve@example.com";

test.each([
  ["the ID token alone", { email: ada, email_verified: true }, {}, ada, true],
  ["the user info alone", {}, { email: ada, email_verified: true }, ada, true],
  ["both", { email: ada }, { email: ada, email_verified: true }, ada, true],
  ["another email", { email: ada }, { email: eve, email_verified: true }, ada, undefined],
  ["no email", { email_verified: true }, { email: ada }, ada, undefined],
  ["nothing is said", { email: ada }, { email: ada }, ada, undefined],
  ["another spelling", { email: ada }, { email: "ADA@example.com", email_verified: 1 }, ada, true],
  ["Entra ID", { email: ada, xms_edov: 1 }, {}, ada, true],
  ["Entra ID without the email", { xms_edov: true }, { email: ada }, ada, undefined],
  ["a denial", { email: ada, email_verified: false }, { email: ada }, ada, false],
  ["text", { email: ada, email_verified: "true" }, {}, ada, true],
  ["a denial as text", { email: ada, email_verified: "false" }, {}, ada, false],
])("an email is verified by the source that names it: %s", (_, token, info, email, isVerified) => {
  const merged = mergeClaims(token, info);
  expect(merged).toMatchObject({ email, email_verified: isVerified });
  expect(merged).not.toHaveProperty("xms_edov");
});

test("what the ID token says counts, and the user info adds to it", () => {
  const merged = mergeClaims({ sub: "1", groups: ["a"] }, { sub: "1", groups: ["b"], name: "Ada" });
  expect(merged).toMatchObject({ sub: "1", groups: ["a"], name: "Ada" });
});
