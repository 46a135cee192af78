import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, expect, it } from "vitest";
import { sweepShortLived } from "#lib/db/deliveries/retention/retention.ts";
import { denyClientSignIn, readClientSignIn } from "#lib/services/sign-in/decide-client-sign-in.ts";
import {
  allowClient,
  askFor,
  exchange,
  fetchOwn,
  origin,
  register,
  TestProvider,
} from "#lib/web/testing/client-sign-in.ts";
import { eras } from "#lib/web/testing/mcp-clients.ts";
import { addPerson, machine } from "#lib/web/testing/sign-in-tools.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/** OAuth 2.1 from an assistant's first call to its last, and a person who decides. */
const api = withApi();

afterEach(async () => {
  await api.db.$executeRaw`truncate authorization_codes, oauth_clients`;
});

function connect(provider: TestProvider, era: (typeof eras)[number]) {
  const pin = era === "2025" ? {} : { versionNegotiation: { mode: { pin: era } } };
  const client = new Client({ name: "test", version: "1.0.0" }, pin);
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    fetch: fetchOwn,
    authProvider: provider,
  });
  return { client, transport, run: () => client.connect(transport) };
}

it.each(eras)("the protocol's own client signs in by itself, and calls (%s)", async (era) => {
  const ada = await addPerson(api, "admin");
  const provider = new TestProvider();
  const first = connect(provider, era);
  await expect(first.run()).rejects.toThrow(/unauthorized/i);
  const { opened } = provider;
  expect(opened?.href.startsWith(`${origin}/oauth/authorize?`)).toBe(true);
  const query = Object.fromEntries(opened?.searchParams ?? []);
  expect(query).toMatchObject({
    resource: `${origin}/mcp`,
    scope:
      "hooks:read hooks:write deliveries:read deliveries:write events:read events:write callbacks:write",
  });
  expect(await readClientSignIn(ada.context, { query })).toMatchObject({
    ...{ ok: true, clientName: "Test assistant", documentHost: null, redirectHost: null },
    accounts: [{ id: api.account.id, role: "admin", missing: [] }],
  });
  const response = await allowClient(ada.context, query);
  expect([response.get("state"), response.get("iss")]).toEqual(["state-of-the-test", origin]);
  const code = response.get("code") ?? "";
  await first.transport.finishAuth(code, response.get("iss") ?? undefined);

  const second = connect(provider, era);
  await second.run();
  expect((await second.client.listTools()).tools).toHaveLength(15);
  const called = await second.client.callTool({ name: "whoami", arguments: {} });
  expect(called.isError ?? false).toBe(false);

  const [token] = await api.db.apiToken.findMany({ where: { createdBy: ada.userId } });
  expect(token).toMatchObject({ name: "Test assistant", revokedAt: null });
  const days = (Number(token?.expiresAt) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  const entries = await api.db.auditEntry.findMany({
    where: { actorId: ada.userId },
    orderBy: { seq: "asc" },
  });
  expect(entries.map(({ event, ip }) => [event, ip])).toEqual([
    ["client_sign_in.allowed", machine],
    ["api_token.created", machine],
  ]);
  const rows = await api.db.$queryRaw`select c::text from authorization_codes c`;
  const text = provider.tokens()?.access_token ?? "";
  for (const secret of [code, text])
    expect(JSON.stringify([rows, entries.map(({ changes }) => changes)])).not.toContain(secret);

  const body = new URLSearchParams({ token: text, client_id: query.client_id ?? "" });
  const other = new URLSearchParams({ token: text, client_id: "catchment-cli" });
  const revoke = (form: URLSearchParams) =>
    fetchOwn(`${origin}/oauth/revoke`, { method: "POST", body: form });
  expect([(await revoke(other)).status, (await revoke(body)).status]).toEqual([400, 200]);
  expect((await api.send("GET", "/hooks", undefined, text)).status).toBe(401);
});

it("a code is worth nothing to anyone but the program that asked, and nothing twice", async () => {
  const ada = await addPerson(api, "admin");
  const { client_id: id } = (await register()).body;
  const { client_id: otherId } = (await register()).body;
  const link = askFor(id);
  const code = (await allowClient(ada.context, link.query)).get("code");
  const wrong = { code_verifier: askFor(id).verifier };
  for (const [fields, error] of [
    [wrong, "invalid_grant"],
    [{ code_verifier: link.query.code_challenge ?? "" }, "invalid_grant"],
    [{ code_verifier: "" }, "invalid_request"],
    [{ client_id: otherId }, "invalid_grant"],
    [{ redirect_uri: "https://assistant.example/callback/" }, "invalid_grant"],
    [{ redirect_uri: "" }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ code: "x".repeat(43) }, "invalid_grant"],
  ] as const)
    expect((await exchange(code, link, fields)).body).toMatchObject({ error });
  expect(await api.db.apiToken.count({ where: { createdBy: ada.userId } })).toBe(0);

  const claimed = await exchange(code, link, { resource: `${origin}/mcp/` });
  expect(claimed).toMatchObject({ status: 200, body: { scope: "hooks:read hooks:write" } });
  const hooks = () => api.send("GET", "/hooks", undefined, claimed.body.access_token);
  expect((await hooks()).status).toBe(200);
  // It comes again, with a wrong verifier: it has leaked.
  expect((await exchange(code, link, wrong)).body).toMatchObject({ error: "invalid_grant" });
  expect((await hooks()).status).toBe(401);
  const [last] = await api.db.auditEntry.findMany({ orderBy: { seq: "desc" }, take: 1 });
  expect(last).toMatchObject({ event: "api_token.revoked", actorType: "token" });
  expect(JSON.stringify(last?.changes)).toMatch(/used twice/);

  const late = askFor(id);
  const lateCode = (await allowClient(ada.context, late.query)).get("code");
  await api.db
    .$executeRaw`update authorization_codes set expires_at = now() where claimed_at is null`;
  expect((await exchange(lateCode, late)).body).toMatchObject({ error: "invalid_grant" });
});

it("twenty exchanges at once make one token, which then ends", async () => {
  const ada = await addPerson(api, "admin");
  const link = askFor((await register()).body.client_id);
  const code = (await allowClient(ada.context, link.query)).get("code");
  const all = await Promise.all(Array.from({ length: 20 }, () => exchange(code, link)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  const made = await api.db.apiToken.findMany({ where: { createdBy: ada.userId } });
  expect(made.map(({ revokedAt }) => revokedAt === null)).toEqual([false]);
});

it("a person is never sent to an address that the program didn't register", async () => {
  const ada = await addPerson(api, "admin");
  const uris = ["https://assistant.example/callback", "http://127.0.0.1:9/cb?x=1"];
  const { client_id: id } = (await register({ redirect_uris: uris })).body;
  const read = (fields: Record<string, string>) =>
    readClientSignIn(ada.context, { query: askFor(id, fields).query });
  for (const redirect of [
    "https://evil.example/callback",
    "https://assistant.example/callback/../../evil",
    "https://assistant.example/callback?next=1",
    "https://assistant.example:444/callback",
    "https://assistant.example.evil.example/callback",
    "http://127.0.0.1:9/other?x=1",
    "http://127.0.0.1.evil.example/cb?x=1",
    "http://localhost:9/cb?x=1",
    "",
  ])
    expect(await read({ redirect_uri: redirect })).toMatchObject({ ok: false, back: null });
  expect(await read({ client_id: "cmc_unknown" })).toMatchObject({ ok: false, back: null });
  expect(await read({ redirect_uri: "http://127.0.0.1:53000/cb?x=1" })).toMatchObject({
    ok: true,
    redirectHost: null,
  });
  // What is wrong otherwise is told, by a link that the person clicks.
  for (const [fields, error] of [
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "" }, "invalid_request"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: "everything" }, "invalid_scope"],
    [{ resource: "https://other.example" }, "invalid_target"],
  ] as const) {
    const shown = await read(fields);
    const { back } = shown as Extract<typeof shown, { ok: false }>;
    const url = new URL(back?.url ?? "");
    expect([url.origin, back?.host]).toEqual(["https://assistant.example", "assistant.example"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({ error, state: "s", iss: origin });
    await expect(allowClient(ada.context, askFor(id, fields).query)).rejects.toThrow(/program/);
  }
  const denied = new URL(await denyClientSignIn(ada.context, { query: askFor(id).query }));
  expect(denied.searchParams.get("error")).toBe("access_denied");
  const [last] = await api.db.auditEntry.findMany({ orderBy: { seq: "desc" }, take: 1 });
  expect(last).toMatchObject({ event: "client_sign_in.denied", actorId: ada.userId });
});

it("anyone may register, within limits, and what no one allows goes away", async () => {
  for (const redirect of [
    "http://assistant.example/callback",
    "https://assistant.example/callback#x",
    "https://user:pass@assistant.example/",
    "javascript:alert(1)",
    "cursor://callback",
    "https:evil",
    `${origin}/catch/acme/hook`,
    "https://assistant.example/\u202e",
  ])
    expect(await register({ redirect_uris: [redirect] })).toMatchObject({
      ...{ status: 400, body: { error: "invalid_redirect_uri" } },
    });
  const some = ["cursor://callback", "http://[::1]/callback"];
  expect((await register({ redirect_uris: some })).body.redirect_uris).toEqual([some[1]]);
  await api.db.$executeRaw`truncate oauth_clients`;
  expect((await register({ client_name: "x\u202ey" })).body.error).toBe("invalid_client_metadata");
  expect((await register({ redirect_uris: [] })).status).toBe(400);
  expect((await register({ pad: "x".repeat(16_384) })).status).toBe(413);
  const made = await Promise.all(Array.from({ length: 30 }, () => register()));
  const [first, ...others] = made.filter(({ status }) => status === 201);
  expect(others).toHaveLength(19);
  expect(first?.body).toMatchObject({ token_endpoint_auth_method: "none", client_name: "Raw" });
  expect(first?.body).not.toHaveProperty("client_secret");
  expect(made.find(({ status }) => status !== 201)).toMatchObject({ status: 429 });
  expect((await register({}, "2001:db8::1")).status).toBe(201);

  const ada = await addPerson(api, "admin");
  await allowClient(ada.context, askFor(first?.body.client_id).query);
  expect((await register()).status).toBe(201);
  await api.db.$executeRaw`
    update oauth_clients set expires_at = expires_at - interval '25 hours'`;
  await sweepShortLived(api.db);
  expect(await api.db.oAuthClient.findMany()).toMatchObject([{ id: first?.body.client_id }]);
});
