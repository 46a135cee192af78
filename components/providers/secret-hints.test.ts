import { expect, test } from "vitest";
import { describeShape, findSecretHints, type SecretShape } from "./secret-hints.ts";

const text: SecretShape = {
  kind: "key",
  decode: "utf8",
  prefix: null,
  isPrefixRequired: false,
  startsWith: null,
  isChosen: false,
};
const standard: SecretShape = { ...text, decode: "base64", prefix: "whsec_", startsWith: "whsec_" };
const hex: SecretShape = { ...text, decode: "hex" };
const ids = (secret: string, shape: SecretShape | null = text) =>
  findSecretHints(secret, shape).map(({ id }) => id);

test("a good secret gets no hints", () => {
  expect(ids("")).toEqual([]);
  expect(ids("   ")).toEqual([]);
  expect(ids("it's any text")).toEqual([]);
  expect(ids("whsec_MfKQ9r8GKYqrTwjU", standard)).toEqual([]);
  expect(ids("MfKQ9r8GKYqrTwjU", standard)).toEqual([]);
  expect(ids("00FFaa", hex)).toEqual([]);
  expect(
    ids("-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----", {
      ...text,
      kind: "publicKey",
    }),
  ).toEqual([]);
});

test.each([
  [" secret", "begins with white space"],
  ["secret ", "ends with white space"],
  ["\tsecret ", "begins with white space and ends with white space"],
  ["secret\n", "ends with a line break"],
])("white space at the ends of %j is pointed out, and removed only on request", (secret, words) => {
  const [hint] = findSecretHints(secret, text);
  expect(hint?.words).toContain(`The secret ${words}.`);
  expect(hint?.fix).toEqual({ label: "Remove the white space", fixed: "secret" });
});

test("quotation marks and inner line breaks are pointed out, with the corrected secret", () => {
  expect(findSecretHints('"secret"', text)[0]?.fix?.fixed).toBe("secret");
  expect(findSecretHints("‘secret’", text)[0]?.fix?.fixed).toBe("secret");
  expect(ids("\"se'")).toEqual([]);
  expect(findSecretHints("one\n  two", text)[0]?.fix?.fixed).toBe("onetwo");
});

test("text that can't be a signing secret is pointed out first, and alone", () => {
  const stripe = { ...text, startsWith: "whsec_" };
  expect(findSecretHints("sk_live_51H", stripe)).toMatchObject([
    { id: "api_key", fix: null, isRejected: true },
  ]);
  expect(findSecretHints("whsec_…", stripe)).toMatchObject([
    { id: "placeholder", isRejected: true },
  ]);
  expect(findSecretHints("KEY=whsec_abc", stripe)).toMatchObject([
    { id: "name", fix: { fixed: "whsec_abc" } },
  ]);
});

test("a secret that the scheme can't decode is pointed out before saving", () => {
  expect(ids("not base64!", standard)).toEqual(["shape"]);
  expect(ids("whsec_abcde", standard)).toEqual(["shape"]);
  expect(ids("abc", hex)).toEqual(["shape"]);
  expect(ids("other_1", { ...text, startsWith: "whsec_" })).toEqual(["prefix"]);
  expect(ids("MfKQ", { ...standard, isPrefixRequired: true })).toEqual(["prefix"]);
  expect(ids("userpassword", { ...text, kind: "password" })).toEqual(["shape"]);
});

test("the format is described before anything is pasted", () => {
  expect(describeShape(text, false)).toBe("Any text, used exactly as pasted.");
  expect(describeShape(text, true)).toBe("");
  expect(describeShape(standard, true)).toBe(
    "It is whsec_ and then base64: letters, digits, + / and =.",
  );
  expect(describeShape(hex, true)).toBe("It is hexadecimal: 0 to 9 and a to f.");
});
