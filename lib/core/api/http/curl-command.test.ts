import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toCurlCommand } from "./curl-command.ts";

/**
 * Splits the command with a shell: `curl` is a function that prints its arguments, each followed by
 * NUL.
 */
function readArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

const url = "http://localhost:3000/catch/main/abc";

test("a shell gets exactly the body and the headers, whatever they contain", {
  tags: "variant",
}, () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '"', "$", "`", "\\", "\n", "!", "@", ";", " ", "a", "é"),
  });
  fc.assert(
    fc.property(text, text, (body, value) => {
      const header: [string, string] = ["X-Test", value.replaceAll("\n", "")];
      const command = toCurlCommand({ url, method: "POST", headers: [header], body });
      const args = readArguments(command ?? "");
      expect(args.slice(0, 4)).toEqual(["--globoff", "-X", "POST", url]);
      expect(args[5]).toBe(header[1] === "" ? "X-Test;" : `X-Test: ${header[1]}`);
      expect(args[7]).toBe(body === "" ? undefined : body);
    }),
    { numRuns: 40 },
  );
});

test("without a command if a command line can't hold it", () => {
  for (const body of [null, "a\u0000b", "\u001b[2J", "\ud800", "x".repeat(20_000)])
    expect(toCurlCommand({ url, method: "POST", headers: [], body })).toBeNull();
});

test("headers of the connection are left out", () => {
  const headers: [string, string][] = [
    ["Host", "a"],
    ["Content-Length", "3"],
    ["X-Kept", "1"],
  ];
  expect(toCurlCommand({ url, method: "POST", headers, body: "abc" })).not.toMatch(
    /Host|Content-Length/,
  );
});
