import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { blockedMessage } from "#lib/core/sending/address/check-url.ts";
import type { CallResult } from "./call-result.ts";
import { serveHttp } from "./testing/test-servers.ts";
import { withClients } from "./testing/with-clients.ts";

const clientWith = withClients();

const blocked = { ok: false, error: { code: "blocked", message: blockedMessage }, response: null };

describe("a forbidden address", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "０x7f.1",
    "0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "localhost",
    "LOCALHOST",
  ])("%s never gets a connection", async (host) => {
    await using server = await serveHttp((_req, res) => res.end("reached"), "0.0.0.0");
    const { call } = clientWith("");
    expect(await call(`http://${host}:${server.port}/`)).toMatchObject(blocked);
    expect(server.connections()).toBe(0);
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["a private one", ["10.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["IPv6 loopback", ["::1"]],
    ["a mapped one", ["::ffff:127.0.0.1"]],
    ["a compatible one", ["::127.0.0.1"]],
    ["NAT64", ["64:ff9b::a00:1"]],
    ["a scoped one", ["fe80::1%eth0"]],
    ["public first, then private", ["93.184.215.14", "127.0.0.1"]],
    ["private first, then public", ["127.0.0.1", "93.184.215.14"]],
    ["allowed first, then private", ["127.0.0.9", "127.0.0.1"]],
    ["no address at all", ["example.com"]],
  ])("a name that resolves to %s is blocked before any connection", async (_what, answer) => {
    const { call, client, lookups } = clientWith("127.0.0.9", [answer]);
    expect(await call("http://name.test:8080/")).toMatchObject(blocked);
    expect(lookups).toEqual(["name.test"]);
    expect(client.openSockets()).toBe(0);
  });

  it("an open and a closed port look the same", async () => {
    await using server = await serveHttp((_req, res) => res.end());
    const closed = await serveHttp((_req, res) => res.end());
    await closed[Symbol.asyncDispose]();
    const { call } = clientWith("", [["127.0.0.1"]]);
    const strip = ({ durationMs: _, ...rest }: CallResult) => rest;
    const open = strip(await call(`http://name.test:${server.port}/`));
    expect(strip(await call(`http://name.test:${closed.port}/`))).toEqual(open);
    expect(strip(await call("http://name.test:6379/"))).toEqual(open);
    expect(strip(await call("http://127.0.0.1:22/"))).toEqual(open);
    expect(server.connections()).toBe(0);
  });

  it("an unusual port is blocked unless a rule allows it", async () => {
    const { call, lookups } = clientWith("127.0.0.1", [["127.0.0.1"]]);
    expect(await call("http://name.test:5432/")).toMatchObject(blocked);
    expect(lookups).toEqual([]);
    const other = clientWith("127.0.0.1:5432", [["127.0.0.2"]]);
    expect(await other.call("http://name.test:5432/")).toMatchObject(blocked);
    expect(other.lookups).toEqual(["name.test"]);
  });

  it("only an http(s) URL without userinfo is called", async () => {
    const { call, lookups } = clientWith("127.0.0.1", [["127.0.0.1"]]);
    for (const url of [
      "ftp://name.test/",
      "http://u:p@name.test/",
      "name.test",
      "http://name.test\\@x/",
    ]) {
      expect(await call(url)).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    }
    expect(lookups).toEqual([]);
  });
});

describe("rebinding", () => {
  it("connects to the checked address, with one lookup", async () => {
    await using open = await serveHttp((_req, res) => res.end("open"), "127.0.0.2");
    const { call, lookups } = clientWith("127.0.0.2", [["127.0.0.2"], ["127.0.0.1"]]);
    expect(await call(`http://name.test:${open.port}/`)).toMatchObject({ ok: true });
    expect(lookups).toEqual(["name.test"]);
    expect(open.connections()).toBe(1);
  });

  it("checks the next connection again", async () => {
    await using open = await serveHttp(
      (_req, res) => res.setHeader("connection", "close").end("open"),
      "127.0.0.2",
    );
    const { call, lookups, client } = clientWith("127.0.0.2", [["127.0.0.2"], ["127.0.0.1"]]);
    expect(await call(`http://name.test:${open.port}/`)).toMatchObject({ ok: true });
    await expect.poll(() => client.openSockets()).toBe(0);
    expect(await call(`http://name.test:${open.port}/`)).toMatchObject(blocked);
    expect(lookups).toHaveLength(2);
  });

  it("a kept-alive socket stays with the checked address", async () => {
    await using open = await serveHttp((_req, res) => res.end("open"), "127.0.0.2");
    const { call, lookups } = clientWith("127.0.0.2", [
      ["127.0.0.2"],
      ["127.0.0.2"],
      ["127.0.0.1"],
    ]);
    await call(`http://name.test:${open.port}/`);
    await new Promise(setImmediate);
    expect(await call(`http://name.test:${open.port}/`)).toMatchObject({ ok: true });
    expect(lookups).toHaveLength(1);
  });
});

const addressesOfThisMachine = Object.values(networkInterfaces()).flatMap((entries = []) =>
  entries.map(({ address }) => address),
);

describe("calls to this server itself", () => {
  it.each(["https://hooks.test/catch/a/b", "https://HOOKS.test.:443/x"])(
    "%s is blocked by its origin",
    async (url) => {
      const { call, lookups } = clientWith("127.0.0.1", [["127.0.0.1"]], {
        ownOrigins: ["https://hooks.test/"],
      });
      expect(await call(url)).toMatchObject({ ok: false, error: { code: "self_call" } });
      expect(lookups).toEqual([]);
    },
  );

  it.each(["127.0.0.1", "localhost.test", "[::1]", "0.0.0.0"])(
    "our port at %s is blocked",
    async (host) => {
      await using server = await serveHttp((_req, res) => res.end());
      const { call } = clientWith("0.0.0.0/0 ::/0", [["127.0.0.7"]], { ownPorts: [server.port] });
      expect(await call(`http://${host}:${server.port}/`)).toMatchObject({
        ok: false,
        error: { code: "self_call" },
      });
      expect(server.connections()).toBe(0);
    },
  );

  it.each(addressesOfThisMachine)(
    "our port at %s, an address of one of this machine's interfaces, is blocked",
    async (address) => {
      const { call } = clientWith("0.0.0.0/0 ::/0", [[address]], { ownPorts: [8080] });
      const literal = address.includes(":") ? `[${address}]` : address;
      for (const host of [literal, "own.test"])
        expect(await call(`http://${host}:8080/`)).toMatchObject({
          ok: false,
          error: { code: "self_call" },
        });
    },
  );

  it.each([
    ["public", "93.184.215.14"],
    ["private", "10.1.2.3"],
    ["IPv6", "2606:2800:21f:cb07::1"],
  ])(
    "any port at an own address that is %s is blocked like loopback, unless it is explicitly allowed",
    async (_, address) => {
      const own = { has: (text: string) => text === address };
      const answer = async (allow: string) => {
        const { call } = clientWith(allow, [[address]], { own });
        const result = await call("http://own.test:8089/", 300);
        return result.ok ? "ok" : result.error.code;
      };
      expect(await answer("10.0.0.0/8")).toBe("blocked");
      expect(await answer("")).toBe("blocked");
      for (const allow of [address, "127.0.0.1 ::1", "127.0.0.1:8089 [::1]:8089"])
        expect(await answer(allow), allow).not.toBe("blocked");
    },
  );

  it("other ports of this machine are not blocked", async () => {
    await using server = await serveHttp((_req, res) => res.end());
    const { call } = clientWith("127.0.0.1", [], { ownPorts: [1] });
    expect(await call(`http://127.0.0.1:${server.port}/`)).toMatchObject({ ok: true });
  });
});
