import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { generate } from "selfsigned";
import { listen, type TestServer } from "./test-servers.ts";

export type KeyPair = Awaited<ReturnType<typeof generate>>;

const options = { keyType: "ec", algorithm: "sha256" } as const;
const toName = (value: string) => [{ name: "commonName", value }];

/** An authority, a server at these addresses with its certificate, and certificates for clients. */
export async function createAuthority(addresses: readonly string[] = ["127.0.0.1"]) {
  const ca = await generate(toName("Test CA"), {
    ...options,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const by = { ...options, ca: { key: ca.private, cert: ca.cert } };
  const altNames = addresses.map((ip) => ({ type: 7, ip }) as const);
  const server = await generate(toName("receiver"), {
    ...by,
    extensions: [{ name: "subjectAltName", altNames }],
  });
  return {
    ca: ca.cert,
    /** @param notAfterDate the end of its validity */
    client: (name: string, notAfterDate = new Date(Date.now() + 365 * 86_400_000)) =>
      generate(toName(name), { ...by, notBeforeDate: new Date(0), notAfterDate }),
    /** A receiver that responds with who called it, and to challenges. `isStrict`: it accepts no one else. */
    startReceiver(
      { isStrict = false, host = "127.0.0.1" } = {},
      onCall: (name: string, headers: Readonly<Record<string, unknown>>) => void = () => {},
    ): Promise<TestServer> {
      const tls = { key: server.private, cert: server.cert, ca: ca.cert, requestCert: true };
      const https = createServer({ ...tls, rejectUnauthorized: isStrict }, (request, response) => {
        const socket = request.socket as TLSSocket;
        const name = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : "nobody";
        onCall(name, request.headers);
        const challenge = request.headers["webhook-challenge"];
        if (challenge !== undefined) response.setHeader("webhook-challenge", challenge);
        request.resume().once("end", () => response.end(name));
      });
      return listen(https, host);
    },
  };
}
