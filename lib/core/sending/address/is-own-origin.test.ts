import { expect, it } from "vitest";
import { isOwnOrigin } from "./is-own-origin.ts";

const publicUrl = "https://hooks.example";

it.each([
  ["https://hooks.example", "127.0.0.1:3000", true],
  ["http://localhost:3000", "localhost:3000", true],
  ["https://evil.example", "hooks.example", false],
  ["https://hooks.example.evil.example", "hooks.example", false],
  ["http://localhost:4000", "localhost:3000", false],
  ["http://hooks.example", "hooks.example", false],
  ["null", "hooks.example", false],
  [null, "hooks.example", false],
  ["", "", false],
])("a change from %s to %s: own is %s", (origin, host, isOwn) => {
  expect(isOwnOrigin({ origin, host, publicUrl })).toBe(isOwn);
});
