import { afterEach, expect, it } from "vitest";
import { changePassword } from "#lib/db/accounts/users.ts";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { createApiToken, revokeOwnToken } from "#lib/services/account/api-tokens.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { changeMemberRole, removeMember } from "#lib/services/members.ts";
import {
  allowDeviceSignIn,
  denyDeviceSignIn,
  readDeviceSignIn,
} from "#lib/services/sign-in/decide-device-sign-in.ts";
import { addPerson, allow, ask, poll, revoke } from "#lib/web/testing/sign-in-tools.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/** The rights of a person and a tool by a sign-in, and their limits. */
const api = withApi();

afterEach(async () => {
  await api.db.$executeRaw`truncate device_sign_ins, sign_in_throttles`;
});

const system = () => serviceContext({ type: "system", accountId: api.account.id });
const countTokens = (createdBy: string) =>
  api.db.apiToken.count({ where: { createdBy, revokedAt: null } });

it("a token never has more than the role of its person, nor than the page showed", async () => {
  const viewer = await addPerson(api, "viewer");
  const wanted = await ask({ scope: "hooks:read hooks:write deliveries:write audit:read" });
  const { device_code: deviceCode, user_code: code } = wanted.body;
  const { accounts } = await readDeviceSignIn(viewer.context, { code });
  expect(accounts).toMatchObject([
    { scopes: ["hooks:read"], missing: ["hooks:write", "deliveries:write", "audit:read"] },
  ]);
  // Their role changes between the look and the click, and again before the claim.
  await changeMemberRole(system(), { id: viewer.userId, role: "admin" });
  await allowDeviceSignIn(viewer.context, {
    ...{ code, accountId: api.account.id },
    scopes: ["hooks:read", "events:write"],
  });
  const claimed = (await poll(deviceCode)).body;
  expect(claimed.scope).toBe("hooks:read");
  const created = await api.send("POST", "/hooks", { name: "x" }, claimed.access_token);
  expect(created).toMatchObject({ status: 403 });

  const member = await addPerson(api, "member");
  const second = (await ask({ scope: "hooks:read hooks:write" })).body;
  await allow(member.context, second.user_code);
  await changeMemberRole(system(), { id: member.userId, role: "viewer" });
  expect((await poll(second.device_code)).body.scope).toBe("hooks:read");

  const third = (await ask({ scope: "hooks:write" })).body;
  const poor = await addPerson(api, "viewer");
  await expect(allow(poor.context, third.user_code)).rejects.toThrow(/allows none of this/);
  expect((await poll(third.device_code)).body.error).toBe("authorization_pending");
});

it("a person who leaves the account, or changes their password, gives a tool nothing any more", async () => {
  const gone = await addPerson(api, "admin");
  const first = (await ask()).body;
  await allow(gone.context, first.user_code);
  await removeMember(system(), { id: gone.userId });
  expect((await poll(first.device_code)).body).toMatchObject({ error: "access_denied" });
  // They come back.
  const data = { accountId: api.account.id, userId: gone.userId, role: "admin" };
  await api.db.membership.create({ data });
  expect((await poll(first.device_code)).body).toMatchObject({ error: "access_denied" });

  const careful = await addPerson(api, "admin");
  const second = (await ask()).body;
  await allow(careful.context, second.user_code);
  await changePassword(api.db, { userId: careful.userId, passwordHash: "none" }, "new");
  expect((await poll(second.device_code)).body).toMatchObject({ error: "invalid_grant" });
  expect([await countTokens(gone.userId), await countTokens(careful.userId)]).toEqual([0, 0]);
});

it("a removal and a claim at the same time leave no token behind", async () => {
  for (let i = 0; i < 5; i += 1) {
    const person = await addPerson(api, "member");
    const { device_code: deviceCode, user_code: code } = (await ask()).body;
    await allow(person.context, code);
    const [claimed] = await Promise.all([
      poll(deviceCode),
      removeMember(system(), { id: person.userId }),
    ]);
    const token = claimed.body.access_token;
    if (token !== undefined)
      expect((await api.send("GET", "/hooks", undefined, token)).status).toBe(401);
    expect(await countTokens(person.userId)).toBe(0);
  }
});

it("a person lets a tool into their own accounts only, and it sees one", async () => {
  const theirs = await api.createAccount("own-of-grace");
  const grace = await addPerson(api, "owner", { accountId: theirs.id });
  const { device_code: deviceCode, user_code: code } = (await ask()).body;
  await expect(
    allowDeviceSignIn(grace.context, { code, accountId: api.account.id, scopes: ["hooks:read"] }),
  ).rejects.toThrow(/don't belong to this account/);
  await allow(grace.context, code, theirs.id);
  const { access_token: token, account } = (await poll(deviceCode)).body;
  expect(account).toMatchObject({ id: theirs.id });
  const { id } = await api.createHook();
  expect((await api.send("GET", `/hooks/${id}`, undefined, token)).status).toBe(404);
  // A token can't let another tool in.
  const actor = { type: "token", accountId: theirs.id, tokenId: "t", name: "t" } as const;
  const held = { scopes: [], userId: grace.userId, role: "owner", maskedFields: [] } as const;
  const next = (await ask()).body.user_code;
  await expect(
    readDeviceSignIn(serviceContext({ ...actor, ...held }), { code: next }),
  ).rejects.toThrow(/Sign in to do it/);
});

it("a person who guesses codes has to pause, alone", async () => {
  const guesser = await addPerson(api, "member", { ip: "198.51.100.1" });
  const { user_code: code } = (await ask()).body;
  const guess = () => readDeviceSignIn(guesser.context, { code: "AAAA-AAAA" });
  for (let i = 0; i < 5; i += 1) await expect(guess()).rejects.toThrow(/No sign-in waits/);
  await expect(guess()).rejects.toThrow(/No sign-in waits/);
  await prolongPauses(api.db);
  await expect(guess()).rejects.toThrow(/Too many wrong codes. Try again in/);
  await expect(allow(guesser.context, code)).rejects.toThrow(/Too many wrong codes/);
  await expect(denyDeviceSignIn(guesser.context, { code })).rejects.toThrow(/Too many wrong codes/);
  const other = await addPerson(api, "member", { ip: "198.51.100.1" });
  await allow(other.context, code);
});

it("an address has twenty open sign-ins, even if it asks for all at once", async () => {
  const started = await Promise.all(Array.from({ length: 30 }, () => ask()));
  const codes = started.filter(({ status }) => status === 200).map(({ body }) => body.user_code);
  expect(new Set(codes).size).toBe(20);
  const rejected = started.find(({ status }) => status !== 200);
  expect(rejected).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
  expect(rejected?.headers.get("retry-after")).toBe("60");
  expect((await ask({}, "2001:db8::1")).status).toBe(200);
  const ada = await addPerson(api, "viewer");
  await denyDeviceSignIn(ada.context, { code: codes[0] });
  expect((await ask()).status).toBe(200);
});

it("a tool revokes what it got, and no other token; a person revokes their own", async () => {
  const admin = await addPerson(api, "admin");
  const made = { name: "CI", scopes: ["hooks:read"], expiresInDays: null } as const;
  const { token } = await createApiToken(admin.context, { ...made, scopes: [...made.scopes] });
  expect(await revoke(token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await api.send("GET", "/hooks", undefined, token)).status).toBe(200);

  const viewer = await addPerson(api, "viewer");
  const { device_code: deviceCode, user_code: code } = (await ask()).body;
  await allow(viewer.context, code);
  await poll(deviceCode);
  const ids = async (createdBy: string) =>
    (await api.db.apiToken.findMany({ where: { createdBy } })).map(({ id }) => id);
  const [own = ""] = await ids(viewer.userId);
  const [foreign = ""] = await ids(admin.userId);
  await expect(revokeOwnToken(viewer.context, { id: foreign })).rejects.toThrow(/no longer works/);
  await revokeOwnToken(viewer.context, { id: own });
  expect(await api.db.apiToken.findUnique({ where: { id: own } })).not.toMatchObject({
    revokedAt: null,
  });
});
