import { describe, expect, it } from "vitest";
import { type AllowList, isAllowed, isInNetworks, parseCidrList } from "./allow-list.ts";

function parse(text: string): AllowList {
  const parsed = parseCidrList(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.cidrs;
}

describe("isAllowed", () => {
  it.each([
    ["8.8.8.8", 443, "", true],
    ["8.8.8.8", 80, "", true],
    ["8.8.8.8", 8080, "", true],
    ["8.8.8.8", 22, "", false],
    ["8.8.8.8", 25, "", false],
    ["8.8.8.8", 5432, "", false],
    ["8.8.8.8", 6379, "", false],
    ["8.8.8.8", 11211, "", false],
    ["8.8.8.8", 0, "", false],
    ["8.8.8.8", 65_536, "", false],
    ["127.0.0.1", 8080, "", false],
    ["127.0.0.1", 8080, "127.0.0.1", true],
    ["127.0.0.2", 8080, "127.0.0.1", false],
    ["127.0.0.1", 5432, "127.0.0.1", false],
    ["127.0.0.1", 5432, "127.0.0.1:5432", true],
    ["127.0.0.1", 8080, "127.0.0.1:5432", false],
    ["10.1.2.3", 443, "10.0.0.0/8", true],
    ["10.1.2.3", 443, "10.0.0.0/8:8443", false],
    ["11.0.0.0", 443, "10.0.0.0/8", true],
    ["192.168.0.1", 443, "10.0.0.0/8", false],
    ["::ffff:10.1.2.3", 443, "10.0.0.0/8", true],
    ["::10.1.2.3", 443, "10.0.0.0/8", false],
    ["fd00::1", 443, "fd00::/8", true],
    ["fd00::1", 25, "[fd00::/8]:25", true],
    ["::1", 3000, "[::1]:3000", true],
    ["::1", 3000, "127.0.0.1", false],
    ["::1", 3000, "::/0", true],
    ["127.0.0.1", 3000, "::/0", false],
    ["127.0.0.1", 3000, "0.0.0.0/0", true],
    ["127.1", 3000, "0.0.0.0/0", false],
    ["8.8.8.8", 25, "8.8.8.8:25", true],
  ] as const)("%s port %i with [%s] is %s", (address, port, list, expected) => {
    expect(isAllowed(address, port, parse(list))).toBe(expected);
  });
});

describe("parseCidrList", () => {
  it("reads networks separated by commas and white space, with or without a port", () => {
    const rules = parse(
      "10.0.0.0/8, 127.0.0.1:80\n[::1]:8080,fd00::/8 [fd00::/8]:443 10.0.0.0/8:8443 [::2]",
    );
    const texts = rules.map((rule) => `${rule.network}/${rule.prefixLength} ${rule.port}`);
    expect(texts).toEqual([
      "10.0.0.0/8 null",
      "127.0.0.1/32 80",
      "::1/128 8080",
      "fd00::/8 null",
      "fd00::/8 443",
      "10.0.0.0/8 8443",
      "::2/128 null",
    ]);
  });

  it("an empty text is an empty list", () => expect(parse(" \n,")).toEqual([]));

  it.each([
    ["localhost", "names are not allowed"],
    ["example.com:80", "is not"],
    ["10.1.0.0/8", "Did you mean 10.0.0.0/8"],
    ["fd00::1/8", "Did you mean fd00::/8"],
    ["10.0.0.0/33", "longer than 32"],
    ["fd00::/129", "longer than 128"],
    ["10.0.0.1:0", "between 1 and 65535"],
    ["10.0.0.1:65536", "between 1 and 65535"],
    ["10.0.0/8", "is not an IP network"],
    ["010.0.0.0/8", "is not an IP network"],
    ["::ffff:10.0.0.0/104", "Write it as 10.0.0.0"],
    ["10.0.0.0/-1", "is not a network"],
    ["10.0.0.0/", "is not a network"],
    ["*", "is not"],
  ])("%s is rejected with a hint", (text, hint) => {
    const parsed = parseCidrList(`127.0.0.1 ${text}`);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringContaining(hint) });
    expect(parsed).toMatchObject({ message: expect.stringContaining(`"${text}"`) });
  });
});

describe("isInNetworks", () => {
  it("only looks at addresses", () => {
    const networks = parse("10.0.0.0/8 ::1");
    expect(isInNetworks("10.9.9.9", networks)).toBe(true);
    expect(isInNetworks("::ffff:10.9.9.9", networks)).toBe(true);
    expect(isInNetworks("::1", networks)).toBe(true);
    expect(isInNetworks("11.0.0.1", networks)).toBe(false);
    expect(isInNetworks("unix:", networks)).toBe(false);
  });
});
