import { expect, it } from "vitest";
import { nameEgressProxy, readEgressProxy } from "./egress-proxy.ts";

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
