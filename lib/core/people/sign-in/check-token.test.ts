import { expect, test } from "vitest";
import { isFromFuture, readIdentity } from "./check-token.ts";

const iss = "https://id.example.com";

test.each(["a\0b", "", 7, null, undefined, "x".repeat(256), "\ud800", "a\nb", "\u007f", ["a"]])(
  "the subject %j identifies no one",
  (sub) => {
    expect(readIdentity({ iss, sub })).toBeNull();
  },
);

test.each(["a", "x".repeat(255), "auth0|5f7c", "CN=Ada Lovelace, OU=x", "ädä", "😀"])(
  "the subject %j identifies a person",
  (sub) => {
    expect(readIdentity({ iss, sub })).toEqual({ issuer: iss, subject: sub });
    expect(readIdentity({ iss: null, sub })).toBeNull();
  },
);

test.each([
  [-86_400, false],
  [0, false],
  [59, false],
  [60, false],
  [61, true],
  [3_600, true],
  [Number.POSITIVE_INFINITY, true],
])("a token issued %i s from now is from the future: %s", (seconds, isFuture) => {
  const nowMs = 1_795_000_000_000;
  expect(isFromFuture({ iat: nowMs / 1_000 + seconds }, nowMs)).toBe(isFuture);
});
