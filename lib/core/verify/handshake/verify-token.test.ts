import { expect, test } from "vitest";
import { handshakesOf } from "./testing/greet.ts";
import { takesVerifyToken, toVerifyToken } from "./verify-token.ts";

test("the verify token is valid for eBay, whatever the hook's key", () => {
  const shortest = toVerifyToken("0".repeat(26));
  const longest = toVerifyToken(`${"p".repeat(40)}-${"0".repeat(26)}`);
  for (const token of [shortest, longest]) expect(token).toMatch(/^[A-Za-z0-9_-]{32,80}$/);
  expect(takesVerifyToken(handshakesOf("meta"))).toBe(true);
  expect(takesVerifyToken(handshakesOf("ebay"))).toBe(true);
  expect(takesVerifyToken(handshakesOf("slack"))).toBe(false);
});
