import { expect, test } from "vitest";
import { OwnAddresses } from "./own-addresses.ts";

test("the machine's own addresses are the current ones of all interfaces", () => {
  let nowMs = 0;
  let interfaces: Record<string, { address: string }[]> = {
    lo: [{ address: "127.0.0.1" }],
    eth0: [{ address: "203.0.113.5" }, { address: "fe80::1%eth0" }, { address: "2A00:0::5" }],
  };
  const own = new OwnAddresses(
    () => interfaces,
    () => nowMs,
  );
  for (const address of [
    "127.0.0.9",
    "::1",
    "0.0.0.0",
    "203.0.113.5",
    "::ffff:203.0.113.5",
    "2a00::5",
  ])
    expect(own.has(address), address).toBe(true);
  for (const address of ["203.0.113.6", "198.51.100.1", "2a00::6", "nonsense"])
    expect(own.has(address), address).toBe(false);
  interfaces = { eth0: [{ address: "198.51.100.1" }] };
  nowMs = 5_001;
  expect([own.has("198.51.100.1"), own.has("203.0.113.5")]).toEqual([true, false]);
});
