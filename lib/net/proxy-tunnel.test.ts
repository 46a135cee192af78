import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readEgressProxy, readProxyExceptions } from "#lib/core/env/egress-proxy.ts";
import { createAuthority } from "./testing/client-certificates.ts";
import { get } from "./testing/test-calls.ts";
import { testCertificate } from "./testing/test-certificate.ts";
import { listen, serveBytes, serveHttp } from "./testing/test-servers.ts";
import { withClients } from "./testing/with-clients.ts";

const clientWith = withClients();
const receiverHost = "127.0.0.3";

/** A destination that a proxy was asked for, and the login. */
type Asked = { readonly to: string; readonly login: string | undefined };

const proxies = {
  async http(asked: Asked[]) {
    const server = createHttpServer((_request, response) => response.writeHead(501).end());
    server.on("connect", ({ url = "", headers }, client: Socket) => {
      const [, login = ""] = (headers["proxy-authorization"] ?? "").split(" ");
      asked.push({ to: url, login: Buffer.from(login, "base64").toString() });
      const [, host = "", port] = /^(.*):(\d+)$/.exec(url) ?? [];
      join(client, host, Number(port), "HTTP/1.1 200 Connection established\r\n\r\n");
    });
    return await listen(server, "127.0.0.1");
  },
  /** RFC 1928 with RFC 1929, for IPv4 only. */
  async socks5(asked: Asked[]) {
    const server = createServer((client) => {
      client.on("error", () => {});
      client.once("data", (greeting) => {
        const asksLogin = greeting.subarray(2, 2 + (greeting[1] ?? 0)).includes(2);
        client.write(Buffer.from([5, asksLogin ? 2 : 0]));
        const connectNext = (login: string | undefined) =>
          client.once("data", (request) => {
            const host = [...request.subarray(4, 8)].join(".");
            const port = request.readUInt16BE(8);
            asked.push({ to: `${request[3] === 1 ? host : "a name"}:${port}`, login });
            join(client, host, port, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          });
        if (!asksLogin) return connectNext("");
        client.once("data", (login) => {
          const user = login.subarray(2, 2 + (login[1] ?? 0)).toString();
          const password = login.subarray(3 + user.length).toString();
          client.write(Buffer.from([1, 0]));
          connectNext(`${user}:${password}`);
        });
      });
    });
    return await listen(server, "127.0.0.1");
  },
};

function join(client: Socket, host: string, port: number, greeting: string | Buffer): void {
  const far = connect(port, host, () => {
    client.write(greeting);
    far.pipe(client).pipe(far);
  });
  for (const socket of [client, far]) socket.on("error", () => {});
}

/** A client whose machine isn't the receiver's, though both are loopback. */
function clientBehind(proxyUrl: string, { except = "", answers = [[receiverHost]] } = {}) {
  const server = readEgressProxy(proxyUrl);
  const exceptions = readProxyExceptions(except);
  if (typeof server === "string" || typeof exceptions === "string")
    throw new Error("The proxy can't be read");
  return clientWith(receiverHost, answers, {
    proxy: { server, except: exceptions },
    own: { has: () => false },
    extraCa: [testCertificate.cert],
  });
}

describe.each(["http", "socks5"] as const)("a proxy by %s", (kind) => {
  it("reaches receivers with and without TLS, by checked addresses and with a login", async () => {
    const asked: Asked[] = [];
    await using proxy = await proxies[kind](asked);
    await using plain = await serveHttp(
      (_request, response) => response.end("plain"),
      receiverHost,
    );
    const secret = createTlsServer(testCertificate, (_request, response) => response.end("secret"));
    await using safe = await listen(secret, receiverHost);
    const { call } = clientBehind(`${kind}://ada:p%40ss@127.0.0.1:${proxy.port}`);
    for (const [url, text] of [
      [`http://receiver.test:${plain.port}/`, "plain"],
      [`https://receiver.test:${safe.port}/`, "secret"],
    ] as const) {
      // The second call has the connection of the first.
      for (let times = 0; times < 2; times += 1) {
        const result = await call(url);
        expect(result.ok && Buffer.from(result.response.body).toString()).toBe(text);
        await new Promise(setImmediate);
      }
    }
    expect(asked).toEqual(
      [plain, safe].map(({ port }) => ({ to: `${receiverHost}:${port}`, login: "ada:p@ss" })),
    );
    const wrongName = await call(`https://other.test:${safe.port}/`);
    expect(wrongName).toMatchObject({ ok: false, error: { code: "tls" } });
  });

  it("leads to receivers that ask for a client certificate", async () => {
    await using proxy = await proxies[kind]([]);
    const authority = await createAuthority([receiverHost]);
    await using receiver = await authority.startReceiver({ isStrict: true, host: receiverHost });
    const { cert: certificate, private: privateKey } = await authority.client("shop-1");
    const identity = { key: "one", certificate, privateKey, ca: authority.ca };
    const { client } = clientBehind(`${kind}://127.0.0.1:${proxy.port}`);
    const request = get(`https://${receiverHost}:${receiver.port}/`);
    const result = await client.call(request, { timeoutMs: 5_000, identity });
    expect(result.ok && Buffer.from(result.response.body).toString()).toBe("shop-1");
    const other = await client.call(request, { timeoutMs: 5_000 });
    expect(other).toMatchObject({ ok: false, error: { code: "tls" } });
  });

  it("can't be used to reach a private network", async () => {
    const asked: Asked[] = [];
    await using proxy = await proxies[kind](asked);
    const url = `${kind}://127.0.0.1:${proxy.port}`;
    for (const answers of [[["10.0.0.5"]], [["93.184.215.14", "169.254.169.254"]], [["::1"]]]) {
      const { call } = clientBehind(url, { answers });
      expect(await call("http://name.test/")).toMatchObject({ error: { code: "blocked" } });
    }
    expect(await clientBehind(url).call("http://192.168.1.1/")).toMatchObject({
      error: { code: "blocked" },
    });
    expect(asked).toEqual([]);
  });

  it("is passed by for the networks and hosts that are excepted", async () => {
    const asked: Asked[] = [];
    await using proxy = await proxies[kind](asked);
    await using receiver = await serveHttp((_request, response) => response.end(), receiverHost);
    for (const except of ["127.0.0.2/31", "receiver.test", "*.test"]) {
      const { call } = clientBehind(`${kind}://127.0.0.1:${proxy.port}`, { except });
      expect(await call(`http://receiver.test:${receiver.port}/`)).toMatchObject({ ok: true });
    }
    expect(asked).toEqual([]);
    const { call } = clientBehind(`${kind}://127.0.0.1:${proxy.port}`, {
      except: "*.receiver.test",
    });
    expect(await call(`http://receiver.test:${receiver.port}/`)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });

  it("that hangs, or isn't there, fails the call in a sentence without its login", async () => {
    await using silent = await serveBytes(() => {});
    const { port } = silent;
    const call = clientBehind(`${kind}://ada:secret@127.0.0.1:${port}`).call;
    expect(await call("http://receiver.test:8080/", 200)).toMatchObject({
      error: { code: "timeout" },
    });
    const gone = await clientBehind(`${kind}://ada:secret@127.0.0.1:9`).call(
      "http://receiver.test/",
    );
    expect(gone).toMatchObject({
      error: {
        code: "connect",
        message: "The proxy of this server can't be reached (ECONNREFUSED).",
      },
    });
  });
});

it.each([
  [403, "The proxy of this server responded with 403, so the receiver wasn't reached."],
  [407, "The proxy of this server rejected its user or password."],
])("a proxy that responds with %s is named as the cause", async (status, message) => {
  await using proxy = await serveBytes((socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
  });
  const { call } = clientBehind(`http://127.0.0.1:${proxy.port}`);
  expect(await call("http://receiver.test/")).toMatchObject({
    error: { code: "connect", message },
  });
});
