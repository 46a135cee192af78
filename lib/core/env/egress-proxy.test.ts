import { expect, it } from "vitest";
import {
  isExcepted,
  nameEgressProxy,
  readEgressProxy,
  readProxyExceptions,
} from "./egress-proxy.ts";

it.each([
  ["http://proxy.internal:3128", "http://proxy.internal:3128", null],
  ["https://proxy.internal/", "https://proxy.internal:443", null],
  ["socks5://10.1.2.3", "socks5://10.1.2.3:1080", null],
  ["http://[fd00::1]:8080", "http://[fd00::1]:8080", null],
  ["http://ada:p%40ss%3A@proxy", "http://proxy:80", { user: "ada", password: "p@ss:" }],
])("%s is the proxy %s", (text, name, login) => {
  const proxy = readEgressProxy(text);
  if (typeof proxy === "string") throw new Error(proxy);
  expect([nameEgressProxy(proxy), proxy.login]).toEqual([name, login]);
});

it.each([
  ["proxy.example:3128", "must be a URL"],
  ["ftp://proxy", "must be a URL"],
  ["http://proxy/path", "must be a URL"],
  ["http://proxy?x=1", "must be a URL"],
  ["socks5h://proxy", "must begin with socks5"],
  ["http://a:%zz@proxy", "has a percent sign"],
  [`http://a:${"x".repeat(256)}@proxy`, "has a user or password of more than"],
])("%s is refused, without repeating it", (text, message) => {
  const refused = readEgressProxy(text);
  expect(refused).toContain(message);
  expect(refused).not.toContain(text);
});

const except = "10.0.0.0/8, api.internal.example, *.Corp.example, fd00::/8";

it.each([
  ["name.example", "10.1.2.3", true],
  ["name.example", "fd00::1", true],
  ["api.internal.example", "93.184.215.14", true],
  ["API.internal.example.", "93.184.215.14", true],
  ["v2.api.internal.example", "93.184.215.14", false],
  ["a.b.corp.example", "93.184.215.14", true],
  ["corp.example", "93.184.215.14", false],
  ["evilcorp.example", "93.184.215.14", false],
  ["93.184.215.14", "93.184.215.14", false],
])("%s at %s is reached without the proxy: %s", (host, address, expected) => {
  const exceptions = readProxyExceptions(except);
  if (typeof exceptions === "string") throw new Error(exceptions);
  expect(isExcepted(host, address, exceptions)).toBe(expected);
});

it.each(["10.0.0.0/33", "https://api.example.com", "*", "api..example", "*.*.example", "1.2.3"])(
  "%s is no exception",
  (text) => expect(readProxyExceptions(text)).toMatch(/^is invalid: /),
);
