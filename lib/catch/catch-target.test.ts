import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUrlText } from "#lib/core/api/http/decode-url-text.ts";
import { isCatchPath, parseCatchTarget } from "./catch-target.ts";

test.each([
  ["/catch/acme/k3y", ["acme", "k3y", "", ""]],
  ["/catch/acme/k3y/", ["acme", "k3y", "/", ""]],
  ["/catch/acme/k3y/orders/eu?x=1&y=/a?b", ["acme", "k3y", "/orders/eu", "x=1&y=/a?b"]],
  ["/catch/acme/k3y?", ["acme", "k3y", "", ""]],
  ["/catch/%61cme/k3%79/%2F", ["acme", "k3y", "/%2F", ""]],
  ["/catch/acme/k3y/a//b", ["acme", "k3y", "/a//b", ""]],
  ["/catch/acme/k3y/.../..a", ["acme", "k3y", "/.../..a", ""]],
  ["/catch/acme/k3y/%", ["acme", "k3y", "/%", ""]],
  ["/catch/acme/k3y/100%/M%FCller", ["acme", "k3y", "/100%/M%FCller", ""]],
  ["/catch/acme/k3y/%c0%ae", ["acme", "k3y", "/%c0%ae", ""]],
  ["/catch/acme/k3y?name=M%FCller&a=100%&%zz", ["acme", "k3y", "", "name=M%FCller&a=100%&%zz"]],
  ["/catch/acme/k3y?%u00e9=%00", ["acme", "k3y", "", "%u00e9=%00"]],
])("%s is parsed", (url, [accountSlug, hookKey, path, query]) => {
  expect(parseCatchTarget(url)).toEqual({ ok: true, accountSlug, hookKey, path, query });
});

test.each([
  ["/catch"],
  ["/catch?x"],
  ["/catch/"],
  ["/catch/acme"],
  ["/catch/acme/"],
  ["/catch//k3y"],
  ["/catch/acme/k3y/.."],
  ["/catch/acme/k3y/%2e%2E/x"],
  ["/catch/acme/k3y/%5c"],
  ["/catch/acme/k3y/%0a"],
  ["/catch/acme/k3y%00"],
  ["/catch/acme%2Fk3y/x"],
  [`/catch/acme/${"k".repeat(129)}`],
  ["/catch/ac%FFme/k3y"],
  ["/catch/acme/k3y%"],
  ["/catch/acme/k3y/%FF%00"],
  ["/catch/acme/k3y/%FF/../x"],
])("%s is no catch URL", (url) => {
  expect(parseCatchTarget(url)).toEqual({ ok: false });
});

test("the prefix is a whole segment", () => {
  for (const url of ["/catch", "/catch?x", "/catch/", "/catch/a/b"])
    expect(isCatchPath(url)).toBe(true);
  for (const url of ["/", "/catcher", "/Catch/a/b", "/api/catch/a/b", "//catch/a/b"])
    expect(isCatchPath(url)).toBe(false);
});

test("property: it never throws, and accepted targets have no traversal, control characters, or odd names", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("/", "..", ".", "%2e", "%", "%00", "\\", "?", "a", "%C3%A9", "%ed%a0%80"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const target = parseCatchTarget(`/catch/${pieces.join("")}`);
      if (!target.ok) return;
      expect(target.accountSlug).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      expect(target.hookKey).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: checks that they are absent.
      expect(decodeUrlText(target.path)).not.toMatch(/[\u0000-\u001f\u007f\\]/);
      expect(target.path.split("/").map(decodeUrlText)).not.toContain("..");
    }),
  );
});
