import { Secret, TOTP, URI } from "otpauth";
import { expect, test } from "vitest";
import { findTotpStep, toBase32, totpUri } from "./totp.ts";

// RFC 6238 appendix B has eight digits, of which an app with six shows the last ones.
const secret = Buffer.from("12345678901234567890");

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the code of RFC 6238 is %s", (seconds, code) => {
  expect(findTotpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("a code is good for its step and the ones around it, which says which step it is", () => {
  const step = 2_000_000_000 / 30;
  const at = (offset: number) =>
    findTotpStep(secret, "279037", (Math.floor(step) + offset) * 30_000);
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, 66666666, 66666666, 66666666, null]);
});

test.each(["", "27903", "2790371", "279038", "27903٧", "279037 "])("%j is no code", (code) => {
  expect(findTotpStep(secret, code, 2_000_000_000_000)).toBeNull();
});

test("an authenticator app reads the QR code and shows the same codes", () => {
  const app = URI.parse(totpUri(secret, "ada+hooks@example.com", "hooks.example.com"));
  if (!(app instanceof TOTP)) throw new Error("not a TOTP");
  expect([app.issuer, app.label]).toEqual([
    "Catchment (hooks.example.com)",
    "ada+hooks@example.com",
  ]);
  expect(app.secret.base32).toBe(toBase32(secret));
  expect(Secret.fromBase32(toBase32(Buffer.from("abc"))).utf8).toBe("abc");
  const timestamp = Date.now();
  expect(findTotpStep(secret, app.generate({ timestamp }), timestamp)).not.toBeNull();
});
