import { expect, test } from "vitest";
import { givenPasswordSchema, newPasswordSchema } from "#lib/schema/account/sign-in.ts";
import { hashNewPassword, verifyPassword } from "./passwords.ts";

test.each(["password123", "PassWord123", "QWERTYUIOP", "1234567890", "manchester", "iloveyou12"])(
  "%s is too common in any case",
  async (password) => {
    expect(await hashNewPassword(password)).toBeNull();
  },
);

test.each(["a few words in a row", " password123"])(
  "%j is none of the most common",
  async (password) => {
    const hash = await hashNewPassword(password);
    expect(await verifyPassword(password, hash)).toBe(true);
  },
);

const listErrors = (text: string) =>
  newPasswordSchema.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

test.each(["", "123456789", "😀".repeat(9)])(
  "a new password can't be %j: it is too short",
  (text) => {
    expect(listErrors(text)).toEqual(["Use at least 10 characters."]);
  },
);

test.each(["tencharact", "😀".repeat(10), " spaces   "])("a new password can be %j", (text) => {
  expect(newPasswordSchema.parse(text)).toBe(text);
});

test("a password has at most 1,024 bytes", () => {
  expect(listErrors("é".repeat(512))).toEqual([]);
  expect(listErrors("é".repeat(513))).toEqual(["must have at most 1,024 bytes"]);
});

test("a password that exists can be shorter", () => {
  expect(givenPasswordSchema.parse("x")).toBe("x");
});
