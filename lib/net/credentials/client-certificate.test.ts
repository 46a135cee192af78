import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { generate } from "selfsigned";
import { beforeAll, expect, it } from "vitest";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import { get } from "../testing/test-calls.ts";
import { listen } from "../testing/test-servers.ts";
import { withClients } from "../testing/with-clients.ts";
import { CredentialCalls } from "./credential-calls.ts";

type Pair = Awaited<ReturnType<typeof generate>>;

const clientWith = withClients();
let ca: Pair;
let server: Pair;
let clients: Pair[];
beforeAll(async () => {
  const options = { keyType: "ec", algorithm: "sha256" } as const;
  const toName = (value: string) => [{ name: "commonName", value }];
  ca = await generate(toName("Test CA"), {
    ...options,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const by = { ...options, ca: { key: ca.private, cert: ca.cert } };
  server = await generate(toName("receiver"), {
    ...by,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  clients = await Promise.all(["shop-1", "shop-2"].map((name) => generate(toName(name), by)));
});

/** Answers with who the client proved to be. */
function startReceiver() {
  const options = { key: server.private, cert: server.cert, ca: ca.cert, requestCert: true };
  const https = createServer({ ...options, rejectUnauthorized: false }, (request, response) => {
    const socket = request.socket as TLSSocket;
    response.end(socket.authorized ? socket.getPeerCertificate().subject.CN : "nobody");
  });
  return listen(https, "127.0.0.1");
}

it("a client certificate is shown to its own calls only, over connections of their own", async () => {
  await using receiver = await startReceiver();
  const { client } = clientWith("127.0.0.0/8", undefined, { extraCa: [ca.cert] });
  const calls = new CredentialCalls(client);
  const origin = `https://127.0.0.1:${receiver.port}`;
  const [one, two] = clients.map((pair, index) => toCredential(pair, origin, `${index}`));
  const read = async (credential: SavedCredential | undefined) => {
    const { result } =
      credential === undefined
        ? { result: await client.call(get(`${origin}/`), { timeoutMs: 5_000 }) }
        : await calls.call(get(`${origin}/`), credential, { timeoutMs: 5_000 });
    return result.ok ? Buffer.from(result.response.body).toString() : result.error.code;
  };
  const responses: string[] = [];
  for (const each of [one, two, undefined, one, two]) responses.push(await read(each));
  expect(responses).toEqual(["shop-1", "shop-2", "nobody", "shop-1", "shop-2"]);
  expect(receiver.connections()).toBe(3);
  expect(await read(one && { ...one, version: 2 })).toBe("shop-1");
  expect(receiver.connections()).toBe(4);
});

it("its authority is trusted for its own calls only", async () => {
  await using receiver = await startReceiver();
  const { client } = clientWith("127.0.0.0/8");
  const origin = `https://127.0.0.1:${receiver.port}`;
  const [pair] = clients;
  if (pair === undefined) throw new Error("no certificate");
  const credential = toCredential(pair, origin, "one");
  const calls = new CredentialCalls(client);
  const { result } = await calls.call(get(`${origin}/`), credential, { timeoutMs: 5_000 });
  expect(result.ok).toBe(true);
  const bare = await client.call(get(`${origin}/`), { timeoutMs: 5_000 });
  expect(bare).toMatchObject({ ok: false, error: { code: "tls" } });
});

it("a call to another origin is never made", async () => {
  await using receiver = await startReceiver();
  const { client } = clientWith("127.0.0.0/8");
  const [pair] = clients;
  if (pair === undefined) throw new Error("no certificate");
  const credential = toCredential(pair, "https://other.example", "one");
  const { result } = await new CredentialCalls(client).call(
    get(`https://127.0.0.1:${receiver.port}/`),
    credential,
    { timeoutMs: 5_000 },
  );
  expect(result).toMatchObject({ ok: false, error: { code: "credential" } });
  expect(receiver.connections()).toBe(0);
});

function toCredential(pair: Pair, origin: string, id: string): SavedCredential {
  const auth = { type: "certificate", certificate: pair.cert, privateKey: pair.private } as const;
  return { id, version: 1, origin, auth: { ...auth, ca: ca.cert } };
}
