import { expect, test } from "vitest";
import { evaluateEmails, evaluateIssuer, evaluateUnconfirmed } from "./check-sign-in.ts";

const rules = { linksByEmail: false, trustsEmail: false, allowedDomains: [] };
const entra = "https://login.microsoftonline.com/3f1e/v2.0";

test.each([
  [entra, { linksByEmail: true }, "warning"],
  [entra, { allowedDomains: ["example.com"] }, "warning"],
  [entra, { linksByEmail: true, trustsEmail: true }, "ok"],
  [entra, {}, "ok"],
  ["https://sts.windows.net/3f1e/", { linksByEmail: true }, "warning"],
  ["https://login.microsoftonline.com.example.com", { linksByEmail: true }, "ok"],
  ["https://id.example.com", { linksByEmail: true }, "ok"],
])("the issuer %s with %j: %s", (issuer, changed, level) => {
  expect(evaluateEmails({ issuer, ...rules, ...changed }).level).toBe(level);
});

test("people whose email no one confirmed are counted", () => {
  expect(evaluateUnconfirmed(0).level).toBe("ok");
  expect(evaluateUnconfirmed(1).message).toMatch(/^1 person has/);
  expect(evaluateUnconfirmed(2)).toMatchObject({ level: "warning" });
});

test("an issuer that doesn't work is an error, with what to change", () => {
  const message = "It publishes no keys. Set it up there to sign ID tokens.";
  expect(evaluateIssuer({ ok: false, message })).toEqual({
    level: "error",
    message: "It publishes no keys.",
    change: "Set it up there to sign ID tokens.",
  });
  expect(evaluateIssuer({ ok: true, message: "It answers." }).level).toBe("ok");
});
