import { describe, expect, it } from "vitest";
import { serveHttp } from "./testing/test-servers.ts";
import { withClients } from "./testing/with-clients.ts";

const clientWith = withClients();

describe("name lookup", () => {
  it("an unknown name is a dns failure", async () => {
    const resolve = () =>
      Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    const { call } = clientWith("", [], { resolve });
    expect(await call("http://name.test/")).toMatchObject({ ok: false, error: { code: "dns" } });
  });

  it("a failing name server is a dns failure", async () => {
    const resolve = () =>
      Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "EAI_AGAIN" }));
    const { call } = clientWith("", [], { resolve });
    expect(await call("http://name.test/")).toMatchObject({ ok: false, error: { code: "dns" } });
  });

  it("an empty answer is a dns failure", async () => {
    const { call } = clientWith("", [[]]);
    expect(await call("http://name.test/")).toMatchObject({ ok: false, error: { code: "dns" } });
  });

  it("the deadline ends a lookup that never responds", async () => {
    const { call } = clientWith("", [], { resolve: () => new Promise(() => {}) });
    const result = await call("http://name.test/", 120);
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it("an answer after the deadline opens no connection", async () => {
    let answer: (addresses: string[]) => void = () => {};
    let hits = 0;
    await using server = await serveHttp((_req, res) => {
      hits += 1;
      res.end();
    });
    const resolve = () => new Promise<string[]>((done) => (answer = done));
    const { call } = clientWith("127.0.0.1", [], { resolve });
    expect(await call(`http://name.test:${server.port}/`, 50)).toMatchObject({
      error: { code: "timeout" },
    });
    answer(["127.0.0.1"]);
    await expect.poll(() => server.connections()).toBe(1);
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(hits).toBe(0);
  });

  it("skips a dead address if there are several", async () => {
    await using server = await serveHttp((_req, res) => res.end("ok"), "127.0.0.3");
    const { call } = clientWith("127.0.0.0/8", [["127.0.0.2", "127.0.0.3"]]);
    expect(await call(`http://name.test:${server.port}/`)).toMatchObject({ ok: true });
  });

  it("the system's resolver knows localhost", async () => {
    await using server = await serveHttp((_req, res) => res.end("ok"));
    const { call } = clientWith("127.0.0.1 ::1");
    expect(await call(`http://localhost:${server.port}/`)).toMatchObject({ ok: true });
  });
});
