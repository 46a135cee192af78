import { createServer as createTlsServer } from "node:https";
import { describe, expect, it } from "vitest";
import { testCertificate } from "./testing/test-certificate.ts";
import { listen, serveBytes } from "./testing/test-servers.ts";
import { withClients } from "./testing/with-clients.ts";

const clientWith = withClients();

describe("TLS", () => {
  const serveTls = () =>
    listen(
      createTlsServer(testCertificate, (_req, res) => res.end("secret")),
      "127.0.0.3",
    );

  it("checks the certificate against the host name of the URL, not the address", async () => {
    await using server = await serveTls();
    const trusting = clientWith("127.0.0.3", [["127.0.0.3"]], { extraCa: [testCertificate.cert] });
    expect(await trusting.call(`https://receiver.test:${server.port}/`)).toMatchObject({
      ok: true,
    });
    expect(await trusting.call(`https://receiver.test.:${server.port}/`)).toMatchObject({
      ok: true,
    });
    expect(await trusting.call(`https://127.0.0.3:${server.port}/`)).toMatchObject({ ok: true });
    const wrongName = await trusting.call(`https://other.test:${server.port}/`);
    expect(wrongName).toMatchObject({ ok: false, error: { code: "tls" } });
  });

  it("an untrusted certificate is rejected", async () => {
    await using server = await serveTls();
    const { call } = clientWith("127.0.0.3", [["127.0.0.3"]]);
    const result = await call(`https://receiver.test:${server.port}/`);
    expect(result).toMatchObject({ ok: false, error: { code: "tls" } });
  });

  it("plain text on a TLS port is a tls failure", async () => {
    await using server = await serveBytes(
      (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
      "127.0.0.3",
    );
    const { call } = clientWith("127.0.0.3", [["127.0.0.3"]]);
    expect(await call(`https://receiver.test:${server.port}/`)).toMatchObject({
      ok: false,
      error: { code: "tls" },
    });
  });

  it("the deadline ends a handshake that never finishes", async () => {
    await using server = await serveBytes(() => {}, "127.0.0.3");
    const { call } = clientWith("127.0.0.3", [["127.0.0.3"]]);
    const result = await call(`https://receiver.test:${server.port}/`, 150);
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
  });
});
