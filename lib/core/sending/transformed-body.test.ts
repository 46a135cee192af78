import { expect, it } from "vitest";
import { readTransformed } from "./transformed-body.ts";

it.each([['{"text":"hi"}'], ["[1,2]"], ["{}"], ["[]"]])("%s is a body", (json) => {
  expect(readTransformed(json)).toEqual({ ok: true, body: json });
});

it("null sends nothing", () => {
  expect(readTransformed("null")).toEqual({ ok: true, body: null });
});

it.each([
  ['"{\\"text\\":1}"', "The result is text. Return an object or a list without JSON.stringify"],
  ["12345678901234567890", "The result is a number. Return an object or a list, or null"],
  ["-1", "The result is a number"],
  ["true", "The result is a boolean"],
])("%s is no body, which says what to return", (json, message) => {
  expect(readTransformed(json)).toEqual({ ok: false, message: expect.stringContaining(message) });
});
