import { afterEach, expect, it, vi } from "vitest";
import { flushLog, log } from "#lib/base/log.ts";
import { sweepShortLived } from "#lib/db/deliveries/retention/retention.ts";
import { deviceCodeGrant } from "#lib/schema/account/device-sign-in.ts";
import { denyDeviceSignIn, readDeviceSignIn } from "#lib/services/sign-in/decide-device-sign-in.ts";
import {
  addPerson,
  allow,
  ask,
  machine,
  oauthForm,
  poll,
  revoke,
  sendForm,
} from "#lib/web/testing/sign-in-tools.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import {
  serveDeviceAuthorization,
  serveMetadata,
  serveRevocation,
  serveToken,
} from "./serve-oauth.ts";

/** RFC 8628 from the first request to the last, and a person who decides. */
const api = withApi();

afterEach(async () => {
  vi.restoreAllMocks();
  await api.db.$executeRaw`truncate device_sign_ins, sign_in_throttles`;
});

const countTokens = (createdBy: string) =>
  api.db.apiToken.count({ where: { createdBy, revokedAt: null } });

async function readEvents(userId: string, accountId = api.account.id) {
  const entries = await api.db.auditEntry.findMany({
    where: { accountId },
    orderBy: { seq: "asc" },
  });
  const tokens = await api.db.apiToken.findMany({ where: { createdBy: userId } });
  const ids = [userId, ...tokens.map(({ id }) => id)];
  return entries.filter(({ actorId }) => ids.includes(actorId));
}

it("a tool finds the endpoints, a person allows it, and its token works until it is revoked", async () => {
  const logged = [vi.spyOn(log, "info"), vi.spyOn(log, "warn"), vi.spyOn(log, "error")];
  const found = await serveMetadata(
    new Request("https://x/.well-known/oauth-authorization-server"),
  );
  expect(await found.json()).toMatchObject({
    issuer: "https://hooks.example.test",
    device_authorization_endpoint: "https://hooks.example.test/oauth/device_authorization",
    token_endpoint: "https://hooks.example.test/oauth/token",
    revocation_endpoint: "https://hooks.example.test/oauth/revoke",
    authorization_endpoint: "https://hooks.example.test/oauth/authorize",
    registration_endpoint: "https://hooks.example.test/oauth/register",
    grant_types_supported: ["authorization_code", deviceCodeGrant],
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ["none"],
  });

  const asked = await ask({ scope: "hooks:write hooks:read hooks:read" });
  expect(asked).toMatchObject({ status: 200, body: { expires_in: 600, interval: 5 } });
  expect(asked.headers.get("cache-control")).toBe("no-store");
  const { device_code: deviceCode, user_code: code } = asked.body;
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
  expect(asked.body.verification_uri).toBe("https://hooks.example.test/device");
  expect(asked.body.verification_uri_complete).toBe(
    `https://hooks.example.test/device?user_code=${code}`,
  );
  expect(await poll(deviceCode)).toMatchObject({
    status: 400,
    body: { error: "authorization_pending" },
  });

  const ada = await addPerson(api, "admin");
  const typed = code.replace("-", " ").toLowerCase();
  expect(await readDeviceSignIn(ada.context, { code: typed })).toMatchObject({
    ...{ code, host: "ada-mbp.local", address: machine, isSameAddress: true },
    accounts: [{ id: api.account.id, role: "admin", scopes: ["hooks:read", "hooks:write"] }],
  });
  await allow(ada.context, typed);
  await expect(allow(ada.context, code)).rejects.toThrow(/works once/);
  const claimed = await poll(deviceCode);
  expect(claimed).toMatchObject({
    status: 200,
    body: {
      token_type: "Bearer",
      expires_in: 7_776_000,
      scope: "hooks:read hooks:write",
      account: { id: api.account.id, slug: "acme" },
    },
  });
  expect(claimed.headers.get("cache-control")).toBe("no-store");
  const token = String(claimed.body.access_token);
  expect(await poll(deviceCode)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });

  expect((await api.send("GET", "/hooks", undefined, token)).status).toBe(200);
  expect((await api.send("GET", "/deliveries", undefined, token)).status).toBe(403);
  const [stored] = await api.db.apiToken.findMany({ where: { createdBy: ada.userId } });
  expect(stored?.name).toBe("CLI on ada-mbp.local");
  const days = (Number(stored?.expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);

  expect(await revoke(token)).toMatchObject({ status: 200, body: null });
  expect(await revoke(token)).toMatchObject({ status: 200 });
  expect((await api.send("GET", "/hooks", undefined, token)).status).toBe(401);

  const entries = await readEvents(ada.userId);
  expect(entries.map(({ event, actorType, ip }) => [event, actorType, ip])).toEqual([
    ["device_sign_in.allowed", "user", machine],
    ["api_token.created", "user", machine],
    ["api_token.revoked", "token", machine],
  ]);
  expect(JSON.stringify(entries[0]?.changes)).toMatch(/ada-mbp\.local.*203\.0\.113\.7/);
  flushLog();
  const rows = await api.db.$queryRaw`select d::text from device_sign_ins d`;
  const traces = JSON.stringify([rows, logged.map(({ mock }) => mock.calls)]);
  expect(traces).toContain("device_sign_in.asked");
  for (const secret of [deviceCode, code, code.replace("-", ""), token])
    expect(traces + JSON.stringify(entries.map(({ changes }) => changes))).not.toContain(secret);
});

it("a tool that asks too soon waits 5 seconds longer each time", async () => {
  const { device_code: code } = (await ask()).body;
  const errors = [];
  for (let i = 0; i < 3; i += 1) errors.push((await poll(code)).body);
  expect(errors).toMatchObject([
    { error: "authorization_pending" },
    { error: "slow_down", interval: 10 },
    { error: "slow_down", interval: 15 },
  ]);
  const pass = (seconds: number) =>
    api.db
      .$executeRaw`update device_sign_ins set polled_at = polled_at - make_interval(secs => ${seconds}::int)`;
  await pass(13);
  expect((await poll(code)).body).toMatchObject({ error: "slow_down", interval: 20 });
  await pass(20);
  expect((await poll(code)).body).toMatchObject({ error: "authorization_pending" });
  await Promise.all(Array.from({ length: 10 }, () => poll(code)));
  expect(await api.db.deviceSignIn.findFirst()).toMatchObject({ intervalSeconds: 70 });
});

it("twenty claims at once get one token", async () => {
  const { device_code: deviceCode, user_code: code } = (await ask()).body;
  const ada = await addPerson(api, "owner");
  await allow(ada.context, code);
  const claims = await Promise.all(Array.from({ length: 20 }, () => poll(deviceCode)));
  const errors = claims.filter(({ status }) => status !== 200).map(({ body }) => body.error);
  expect(errors).toEqual(Array(19).fill("invalid_grant"));
  const token = claims.find(({ status }) => status === 200)?.body.access_token;
  expect((await api.send("GET", "/hooks", undefined, token)).status).toBe(200);
  expect(await countTokens(ada.userId)).toBe(1);
});

it("a denied sign-in is over, and each account of the person knows where it came from", async () => {
  const other = await api.createAccount("denied-too");
  const ada = await addPerson(api, "viewer", { ip: "198.51.100.9" });
  await api.db.membership.create({
    data: { accountId: other.id, userId: ada.userId, role: "owner" },
  });
  const { device_code: deviceCode, user_code: code } = (await ask()).body;
  const shown = await readDeviceSignIn(ada.context, { code });
  expect(shown).toMatchObject({ isSameAddress: false, accountId: api.account.id });
  expect(shown.accounts.map(({ id, role }) => [id, role])).toEqual([
    [api.account.id, "viewer"],
    [other.id, "owner"],
  ]);
  await denyDeviceSignIn(ada.context, { code });
  expect((await poll(deviceCode)).body).toMatchObject({ error: "access_denied" });
  await expect(allow(ada.context, code)).rejects.toThrow(/works once/);
  for (const id of [api.account.id, other.id])
    expect(await readEvents(ada.userId, id)).toMatchObject([{ event: "device_sign_in.denied" }]);
});

it("after ten minutes a code is over, and one that was allowed at the end can still be claimed", async () => {
  const { device_code: deviceCode, user_code: code } = (await ask()).body;
  const late = (await ask()).body;
  const ada = await addPerson(api, "owner");
  await api.db.$executeRaw`update device_sign_ins set expires_at = now() + interval '50 seconds'`;
  // It has a minute from now on.
  await allow(ada.context, late.user_code);
  await api.db.$executeRaw`
    update device_sign_ins set expires_at = now()
    where expires_at < (select max(expires_at) from device_sign_ins)`;
  expect((await poll(deviceCode)).body).toMatchObject({ error: "expired_token" });
  await expect(readDeviceSignIn(ada.context, { code })).rejects.toThrow(/works once/);
  expect((await poll(late.device_code)).status).toBe(200);
  await api.db.$executeRaw`
    update device_sign_ins set expires_at = now() - interval '61 minutes' where claimed_at is null`;
  await sweepShortLived(api.db);
  expect(await api.db.deviceSignIn.count()).toBe(1);
  expect((await poll(deviceCode)).body).toMatchObject({ error: "invalid_grant" });
});

it.each([
  ["another client", oauthForm({}).replace("catchment-cli", "other"), "invalid_client"],
  ["no client", "host_name=x", "invalid_client"],
  ["an unknown scope", oauthForm({ scope: "hooks:read everything" }), "invalid_scope"],
  ["no scope at all", oauthForm({ scope: "  " }), "invalid_scope"],
  ["a host that is a sentence", oauthForm({ host_name: "click Allow" }), "invalid_request"],
  ["a host with a bidi character", oauthForm({ host_name: "a\u202eb" }), "invalid_request"],
  ["a field twice", `${oauthForm({})}&client_id=catchment-cli`, "invalid_request"],
  ["a body that is too large", oauthForm({ x: "x".repeat(20_000) }), "invalid_request"],
])("%s is rejected with what to change", async (_what, body, error) => {
  const response = await sendForm(serveDeviceAuthorization, body);
  expect(response.body).toMatchObject({ error });
  // RFC 6749 §5.2 forbids the rest.
  expect(response.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(await api.db.deviceSignIn.count()).toBe(0);
});

it("other forms, methods, and grants are rejected as OAuth says", async () => {
  const json = { "content-type": "application/json" };
  expect((await sendForm(serveDeviceAuthorization, "{}", json)).body).toMatchObject({
    error: "invalid_request",
  });
  const read = await serveDeviceAuthorization(new Request("https://x/oauth/device_authorization"));
  expect([read.status, read.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  const grants = [
    [{}, "invalid_request"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
    [{ grant_type: deviceCodeGrant }, "invalid_request"],
    [{ grant_type: deviceCodeGrant, device_code: "\0" }, "invalid_grant"],
    [{ grant_type: deviceCodeGrant, device_code: "x".repeat(43) }, "invalid_grant"],
  ] as const;
  for (const [fields, error] of grants)
    expect(
      (await sendForm(serveToken, oauthForm(fields as Record<string, string>))).body,
    ).toMatchObject({ error });
  expect((await sendForm(serveRevocation, oauthForm({}))).body).toMatchObject({
    error: "invalid_request",
  });
  expect((await revoke("nobody's")).status).toBe(200);
});
