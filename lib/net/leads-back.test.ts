import { expect, it } from "vitest";
import { leadsBack } from "./leads-back.ts";

const own = { ownOrigins: ["https://hooks.example.com"], ownPorts: [3000] };

it.for([
  ["https://hooks.example.com/catch/acme/orders", true],
  ["https://HOOKS.example.com.:443/", true],
  ["http://127.0.0.1:3000/catch/acme/orders", true],
  ["http://localhost:3000/", true],
  ["http://[::1]:3000/", true],
  ["http://hooks.example.com/", false],
  ["https://hooks.example.com:8443/", false],
  ["http://127.0.0.1:4000/", false],
  ["https://example.com:3000/", false],
] as const)("a call of %s leads back: %s", ([url, expected]) => {
  expect(leadsBack(new URL(url), own)).toBe(expected);
});
