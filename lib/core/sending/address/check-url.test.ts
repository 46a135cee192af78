import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AllowList, parseCidrList } from "./allow-list.ts";
import { blockedMessage, checkUrl } from "./check-url.ts";

function allow(text: string): AllowList {
  const parsed = parseCidrList(text);
  return parsed.ok ? parsed.cidrs : [];
}

describe("checkUrl", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1./",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7F.1/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0000177.0.0.01/",
    "http://%31%32%37.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://0/",
    "http://0x/",
    "http://00.0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::FFFF:127.0.0.1]:8080/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/latest/meta-data",
    "http://169.254.169.254/latest/meta-data",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://10.0.0.1/",
    "http://012.0.0.1/",
    "http://192.168.257/",
    "http://3232235777/",
    "HTTP://0xC0.0xA8.0.1/",
    "https://100.64.0.1:8443/",
    "http://8.8.8.8:22/",
    "https://8.8.8.8:25/",
    "http://example.com:6379/",
    "http://example.com:5432/",
    "http://example.com:0/",
    "http://[2606:4700::1111]:2375/",
  ])("%s is blocked, always with the same message", (url) => {
    expect(checkUrl(url)).toEqual({ ok: false, code: "blocked", message: blockedMessage });
  });

  it.each([
    ["", "invalid_url"],
    ["example.com", "invalid_url"],
    ["/path", "invalid_url"],
    ["//example.com/", "invalid_url"],
    ["https:example.com", "invalid_url"],
    ["https:/example.com", "invalid_url"],
    ["https:///example.com", "invalid_url"],
    ["http:\\\\example.com\\", "invalid_url"],
    ["http://example.com\\@127.0.0.1/", "invalid_url"],
    ["http://exa\tmple.com/", "invalid_url"],
    ["http://exa\nmple.com/", "invalid_url"],
    ["http://example.com/?a=\r\nx", "invalid_url"],
    ["http://127.0.0.1%00/", "invalid_url"],
    ["http://[fe80::1%25eth0]/", "invalid_url"],
    ["http://256.256.256.256/", "invalid_url"],
    ["http://1.2.3.4.5/", "invalid_url"],
    ["http://example.com:99999/", "invalid_url"],
    ["ftp://example.com/", "scheme_not_allowed"],
    ["file:///etc/passwd", "scheme_not_allowed"],
    ["javascript:alert(1)", "scheme_not_allowed"],
    ["gopher://127.0.0.1:6379/_x", "scheme_not_allowed"],
    ["unix:///var/run/docker.sock", "scheme_not_allowed"],
    ["ws://example.com/", "scheme_not_allowed"],
    ["http://user@example.com/", "userinfo_not_allowed"],
    ["http://:pass@example.com/", "userinfo_not_allowed"],
    ["http://1.1.1.1 &@2.2.2.2# @3.3.3.3/", "userinfo_not_allowed"],
    ["https://example.com@127.0.0.1/", "userinfo_not_allowed"],
  ])("%j is rejected as %s", (url, code) => {
    expect(checkUrl(url)).toMatchObject({ ok: false, code });
  });

  it.each([
    ["https://EXAMPLE.com./a?b=c#d", "https://example.com./a?b=c", "example.com", 443],
    ["http://ｅｘａｍｐｌｅ.com:80/", "http://example.com/", "example.com", 80],
    ["http://exаmple.com/", "http://xn--exmple-4nf.com/", "xn--exmple-4nf.com", 80],
    ["http://localhost:3000/x", "http://localhost:3000/x", "localhost", 3000],
    ["https://8.8.8.8:8443/", "https://8.8.8.8:8443/", "8.8.8.8", 8443],
    ["https://134744072/", "https://8.8.8.8/", "8.8.8.8", 443],
    ["https://[2606:4700::0:1111]/", "https://[2606:4700::1111]/", "2606:4700::1111", 443],
    ["https://example.com/a\\b?c=\\d", undefined, undefined, undefined],
  ])("%s is shown and called in its canonical form", (text, href, host, port) => {
    const checked = checkUrl(text);
    if (href === undefined) return expect(checked.ok).toBe(false);
    expect(checked).toMatchObject({ ok: true, host, port });
    expect(checked.ok && checked.url.href).toBe(href);
  });

  it("an operator's rule allows only its network and port", () => {
    const list = allow("127.0.0.1:6379 10.0.0.0/8");
    expect(checkUrl("http://0x7f.1:6379/", list).ok).toBe(true);
    expect(checkUrl("http://127.0.0.1:8080/", list).ok).toBe(false);
    expect(checkUrl("http://10.1.1.1:8080/", list).ok).toBe(true);
    expect(checkUrl("http://10.1.1.1:6379/", list).ok).toBe(false);
  });

  it("no notation of a special IPv4 address is allowed", () => {
    const octets = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte(), byte(), byte()),
      fc.tuple(fc.constant(192), fc.constant(168), byte(), byte()),
      fc.tuple(fc.constant(169), fc.constant(254), byte(), byte()),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte(), byte()),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte(), byte()),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte(), byte(), byte()),
    );
    const style = fc.tuple(radix(), radix(), radix(), radix());
    const join = fc.tuple(
      fc.constantFrom(1, 2, 3, 4),
      fc.constantFrom(".", "。", "．", "｡"),
      fc.boolean(),
    );
    fc.assert(
      fc.property(octets, style, join, (address, radixes, [parts, dot, wide]) => {
        const spelled = spell(address, radixes, parts, dot, wide);
        expect(checkUrl(`http://${spelled}/`)).toMatchObject({ ok: false, code: "blocked" });
      }),
    );
  });
});

const byte = () => fc.integer({ min: 0, max: 255 });
const radix = () => fc.constantFrom(8, 10, 16);

/**
 * Writes an IPv4 address in `parts` numbers, each in its own radix; the last one holds the rest.
 */
function spell(
  octets: number[],
  radixes: number[],
  parts: number,
  dot: string,
  wide: boolean,
): string {
  const head = octets.slice(0, parts - 1);
  const rest = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
  const prefixes: Record<number, string> = { 8: "0", 10: "", 16: "0x" };
  const numbers = [...head, rest].map((value, index) => {
    const base = radixes[index] ?? 10;
    return `${prefixes[base] ?? ""}${value.toString(base)}`;
  });
  const text = numbers.join(dot);
  return wide
    ? text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
    : text;
}
