import { expect, it } from "vitest";
import { findSecretHints, generateSecret, type SecretShape } from "./secret-hints.ts";

const shape: SecretShape = {
  kind: "key",
  decode: "utf8",
  prefix: null,
  isPrefixRequired: false,
  startsWith: null,
  isChosen: true,
};

it.each<[string, Partial<SecretShape>]>([
  ["text", {}],
  ["hexadecimal", { decode: "hex" }],
  ["base64 behind a prefix", { decode: "base64", prefix: "whsec_", isPrefixRequired: true }],
  ["a user name and password", { kind: "password" }],
  ["a usual start", { startsWith: "tok_" }],
])("a generated secret fits its scheme and is never the same twice: %s", (_name, fields) => {
  const of = { ...shape, ...fields };
  const secrets = Array.from({ length: 50 }, () => generateSecret(of));
  expect(secrets.flatMap((secret) => findSecretHints(secret, of))).toEqual([]);
  expect(new Set(secrets).size).toBe(50);
  // Providers allow 100 or 128 characters.
  expect(secrets.every((secret) => secret.length >= 40 && secret.length <= 100)).toBe(true);
});
