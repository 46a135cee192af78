import { expect, test } from "vitest";
import { parseCidrList } from "#lib/core/address/allow-list.ts";
import { UntrustedProxyWarning } from "./untrusted-proxy.ts";

test("an untrusted X-Forwarded-For is warned about once, and a trusted proxy's never", () => {
  const given: unknown[] = [];
  const warning = new UntrustedProxyWarning((event, fields) => given.push([event, fields?.peer]));
  const parsed = parseCidrList("10.0.0.1");
  const trusted = parsed.ok ? parsed.cidrs : [];
  warning.consider("203.0.113.9", undefined, trusted);
  warning.consider("10.0.0.1", "198.51.100.1", trusted);
  warning.consider("::ffff:10.0.0.1", "198.51.100.1", trusted);
  expect(given).toEqual([]);
  warning.consider("203.0.113.9", "198.51.100.1", trusted);
  warning.consider("203.0.113.10", "198.51.100.1", []);
  expect(given).toEqual([["proxy.untrusted", "203.0.113.9"]]);
});
