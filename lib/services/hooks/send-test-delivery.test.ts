import { expect, test } from "vitest";
import { isAllowed } from "#lib/core/sending/address/allow-list.ts";
import { ownListener } from "./send-test-delivery.ts";

const env = (host: string) => ({
  host,
  port: 3000,
  publicUrl: "https://hooks.example",
  egressAllow: [],
  internal: { webSocket: "/web.sock" as string | undefined },
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:3000", "127.0.0.1"],
  ["0.0.0.0", "http://127.0.0.1:3000", "127.0.0.1"],
  ["::", "http://[::1]:3000", "::1"],
  ["::1", "http://[::1]:3000", "::1"],
  ["10.1.2.3", "http://10.1.2.3:3000", "10.1.2.3"],
  ["localhost", "http://localhost:3000", "::1"],
])(
  "listening on %s it is reached at %s, and no other private address is",
  (host, origin, address) => {
    const own = ownListener(env(host));
    expect(own.origin).toBe(origin);
    expect(isAllowed(address, 3000, own.allow)).toBe(true);
    expect(isAllowed(address, 5432, own.allow)).toBe(false);
    expect(isAllowed("10.9.9.9", 3000, own.allow)).toBe(false);
  },
);

test("on another machine it is reached by the public URL", () => {
  const apart = { ...env("0.0.0.0"), internal: { webSocket: undefined } };
  expect(ownListener(apart)).toEqual({ origin: "https://hooks.example", allow: [] });
});
