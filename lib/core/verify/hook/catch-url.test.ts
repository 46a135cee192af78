import { expect, test } from "vitest";
import { findLocalHost } from "./catch-url.ts";

test("a host that providers can't reach is recognized", () => {
  const local = [
    "localhost:3000",
    "app.localhost",
    "127.0.0.1:3000",
    "[::1]",
    "192.168.1.4",
    "nas",
    "pi.local",
  ];
  expect(local.filter((host) => findLocalHost(`http://${host}`) === null)).toEqual([]);
  const open = ["hooks.example.com", "8.8.8.8", "abc.trycloudflare.com", "[2606:4700:4700::1111]"];
  expect(open.filter((host) => findLocalHost(`https://${host}`) !== null)).toEqual([]);
});
