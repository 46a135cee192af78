import { beforeAll, expect, it } from "vitest";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import { createAuthority, type KeyPair } from "../testing/client-certificates.ts";
import { get } from "../testing/test-calls.ts";
import { withClients } from "../testing/with-clients.ts";
import { CredentialCalls } from "./credential-calls.ts";

const clientWith = withClients();
const authority = await createAuthority();
const { ca } = authority;
const startReceiver = () => authority.startReceiver();
let clients: KeyPair[];
beforeAll(async () => {
  clients = await Promise.all(["shop-1", "shop-2"].map((name) => authority.client(name)));
});

it("a client certificate is shown to its own calls only, over connections of their own", async () => {
  await using receiver = await startReceiver();
  const { client } = clientWith("127.0.0.0/8", undefined, { extraCa: [ca] });
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

function toCredential(pair: KeyPair, origin: string, id: string): SavedCredential {
  const auth = { type: "certificate", certificate: pair.cert, privateKey: pair.private } as const;
  return { id, version: 1, origin, auth: { ...auth, ca } };
}
