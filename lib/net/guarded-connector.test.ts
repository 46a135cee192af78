import { afterEach, expect, it, vi } from "vitest";
import { createSystemResolver } from "./addresses/resolve.ts";
import { createGuardedConnector } from "./guarded-connector.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a lookup that never ends is given up", async () => {
  vi.useFakeTimers();
  const connect = createGuardedConnector({
    allow: [],
    ownPorts: [],
    resolve: () => new Promise(() => {}),
    onSocket: () => {},
  });
  const failure = new Promise((done) => {
    connect({ hostname: "name.test", protocol: "http:", port: "80" }, (...[error]) => done(error));
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await failure).toMatchObject({ code: "dns" });
});

it("concurrent lookups of one name are joined, and later ones ask again", async () => {
  const resolve = createSystemResolver();
  const first = resolve("localhost");
  expect(resolve("localhost")).toBe(first);
  const addresses = await first;
  expect(addresses.some((address) => address === "127.0.0.1" || address === "::1")).toBe(true);
  await expect.poll(() => resolve("localhost") === first).toBe(false);
});
