import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOwnPath } from "./own-path.ts";

describe("after sign-in", () => {
  it.each(["/account/tokens", "/deliveries?status=rejected&q=%2F%2Fx#top", "/hooks/new"])(
    "%s is kept",
    (path) => expect(toOwnPath(path)).toBe(path),
  );

  it.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a/..//evil.example",
    "/.//evil.example",
    "https:evil.example",
    "https://evil.example/",
    "https://own.invalid/x",
    "javascript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "evil",
    "",
    `/${"x".repeat(5_000)}`,
  ])("%j leads to the home page", (path) => expect(toOwnPath(path)).toBe("/"));

  it("nothing leads to another origin", () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        "/",
        "\\",
        ".",
        ":",
        "@",
        "?",
        "#",
        "%",
        "2",
        "f",
        "\t",
        "\n",
        " ",
        "h",
        "evil.example",
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        for (const path of [toOwnPath(text), toOwnPath(`/${text}`)]) {
          expect(new URL(path, "https://hooks.example").origin).toBe("https://hooks.example");
        }
      }),
    );
  });
});
