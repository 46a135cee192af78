import { expect, test } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { readClientAddress, UntrustedProxyWarning } from "./client-address.ts";

const parsed = parseCidrList("10.0.0.0/8, 192.0.2.7, fd00::/8");
const proxies = parsed.ok ? parsed.cidrs : [];

test.each<[string, string, string[] | undefined, string]>([
  ["no header: the peer", "10.0.0.1", undefined, "10.0.0.1"],
  ["an untrusted client's header is not believed", "203.0.113.9", ["198.51.100.1"], "203.0.113.9"],
  ["a proxy's header is", "10.0.0.1", ["198.51.100.1"], "198.51.100.1"],
  [
    "the right-most untrusted address counts",
    "10.0.0.1",
    ["1.2.3.4, 198.51.100.1"],
    "198.51.100.1",
  ],
  [
    "trusted hops are skipped",
    "10.0.0.1",
    ["1.2.3.4, 198.51.100.1, 10.9.9.9,192.0.2.7"],
    "198.51.100.1",
  ],
  [
    "several headers are one list",
    "10.0.0.1",
    ["1.2.3.4", "198.51.100.1", "10.2.2.2"],
    "198.51.100.1",
  ],
  ["trusted all the way: the first", "10.0.0.1", ["10.0.0.9, 10.0.0.8"], "10.0.0.9"],
  ["what is no address ends the list", "10.0.0.1", ["198.51.100.1, unknown, 10.0.0.8"], "10.0.0.8"],
  ["nonsense alone: the peer", "10.0.0.1", ["<script>"], "10.0.0.1"],
  ["dots alone are no address", "10.0.0.1", ["....."], "10.0.0.1"],
  ["an empty header", "10.0.0.1", [""], "10.0.0.1"],
  ["a port behind IPv4", "10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"],
  ["a port behind IPv6", "10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"],
  ["IPv6 bare", "fd00::1", ["2001:db8::1"], "2001:db8::1"],
  ["a zone means nothing here", "10.0.0.1", ["fe80::1%eth0"], "10.0.0.1"],
  [
    "IPv4 in IPv6 dress, as peer and as hop",
    "::ffff:10.0.0.1",
    ["::ffff:198.51.100.1"],
    "198.51.100.1",
  ],
  ["an untrusted IPv4 address written as IPv6", "::ffff:203.0.113.9", ["1.2.3.4"], "203.0.113.9"],
])("%s", (_name, peer, forwardedFor, expected) => {
  expect(readClientAddress(peer, forwardedFor, proxies)).toBe(expected);
});

test("without trusted proxies X-Forwarded-For is ignored", () => {
  expect(readClientAddress("10.0.0.1", ["1.2.3.4"], [])).toBe("10.0.0.1");
});

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
