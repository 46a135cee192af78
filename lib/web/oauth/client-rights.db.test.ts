import { afterEach, expect, it } from "vitest";
import { changePassword } from "#lib/db/accounts/users.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { changeMemberRole, removeMember } from "#lib/services/members.ts";
import {
  allowClientSignIn,
  readClientSignIn,
} from "#lib/services/sign-in/decide-client-sign-in.ts";
import { resolveClient } from "#lib/services/sign-in/find-client.ts";
import {
  allowClient,
  askFor,
  exchange,
  origin,
  register,
} from "#lib/web/testing/client-sign-in.ts";
import { addPerson } from "#lib/web/testing/sign-in-tools.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/** The rights of a person and of a program that they let in, and who the program is. */
const api = withApi();

afterEach(async () => {
  await api.db.$executeRaw`truncate authorization_codes, oauth_clients`;
});

const system = () => serviceContext({ type: "system", accountId: api.account.id });
const askRegistered = async (scope: string) => askFor((await register()).body.client_id, { scope });

it("a token never has more than the role of its person, nor than they chose", async () => {
  const viewer = await addPerson(api, "viewer");
  const link = await askRegistered("hooks:read hooks:write events:read account:write unknown");
  const { query } = link;
  expect(await readClientSignIn(viewer.context, { query })).toMatchObject({
    accounts: [
      { scopes: ["hooks:read", "events:read"], missing: ["hooks:write", "account:write"] },
    ],
  });
  const decide = (scopes: ("hooks:read" | "hooks:write" | "members:read")[]) =>
    allowClientSignIn(viewer.context, { query, accountId: api.account.id, scopes });
  await expect(decide(["hooks:write"])).rejects.toThrow(/allows none/);
  await expect(decide(["members:read"])).rejects.toThrow(/allows none/);
  const { searchParams } = new URL(await decide(["hooks:read", "members:read", "hooks:write"]));
  await changeMemberRole(system(), { id: viewer.userId, role: "admin" });
  expect((await exchange(searchParams.get("code"), link)).body.scope).toBe("hooks:read");

  const member = await addPerson(api, "member");
  const second = await askRegistered("hooks:read hooks:write");
  const code = (await allowClient(member.context, second.query)).get("code");
  await changeMemberRole(system(), { id: member.userId, role: "viewer" });
  expect((await exchange(code, second)).body.scope).toBe("hooks:read");

  const third = await askRegistered("hooks:write");
  const poor = await addPerson(api, "member");
  const poorCode = (await allowClient(poor.context, third.query)).get("code");
  await changeMemberRole(system(), { id: poor.userId, role: "viewer" });
  expect((await exchange(poorCode, third)).body.error).toBe("invalid_grant");
  await expect(allowClient(poor.context, third.query)).rejects.toThrow(/allows none/);
});

it("a person who leaves the account, or changes their password, gives a program nothing any more", async () => {
  const gone = await addPerson(api, "admin");
  const first = await askRegistered("hooks:read");
  const code = (await allowClient(gone.context, first.query)).get("code");
  await removeMember(system(), { id: gone.userId });
  const data = { accountId: api.account.id, userId: gone.userId, role: "admin" };
  await api.db.membership.create({ data });
  expect((await exchange(code, first)).body.error).toBe("invalid_grant");

  const careful = await addPerson(api, "admin");
  const second = await askRegistered("hooks:read");
  const secondCode = (await allowClient(careful.context, second.query)).get("code");
  await changePassword(api.db, { userId: careful.userId, passwordHash: "none" }, "new");
  expect((await exchange(secondCode, second)).body.error).toBe("invalid_grant");
});

it("a person lets a program into their own accounts only, and a token lets in no one", async () => {
  const theirs = await api.createAccount("own-of-grace");
  const grace = await addPerson(api, "owner", { accountId: theirs.id });
  const { query } = await askRegistered("hooks:read");
  const decision = { query, accountId: api.account.id, scopes: ["hooks:read" as const] };
  await expect(allowClientSignIn(grace.context, decision)).rejects.toThrow(/don't belong/);
  const held = { scopes: [], userId: grace.userId, role: "owner", maskedFields: [] } as const;
  const actor = { type: "token", accountId: theirs.id, tokenId: "t", name: "t", ...held } as const;
  await expect(readClientSignIn(serviceContext(actor), { query })).rejects.toThrow(/Sign in to do/);
});

it("a program's own document says who it is, if it is at its id", async () => {
  const id = "https://assistant.example/client.json";
  const document = {
    ...{ client_id: id, client_name: "Assistant" },
    redirect_uris: ["https://assistant.example/callback"],
  };
  let calls = 0;
  const resolve = (value: unknown, at = id) =>
    resolveClient(api.context, at, async () => {
      calls += 1;
      return value === undefined ? { ok: false, what: "can't be reached" } : { ok: true, value };
    });
  for (const [value, message] of [
    [undefined, /client\.json can't be reached/],
    [{ ...document, client_id: `${id}?` }, /another program's/],
    [{ ...document, redirect_uris: [`${origin}/catch/acme/x`] }, /redirect URIs/],
    [{ ...document, client_name: "x".repeat(65) }, /name/],
    [null, /name/],
  ] as const)
    expect(await resolve(value)).toEqual({ ok: false, message: expect.stringMatching(message) });
  for (const at of [
    "https://assistant.example/",
    "https://assistant.example/a/../client.json",
    "https://assistant.example/client.json#x",
    "https://user@assistant.example/client.json",
    "https://ASSISTANT.example/client.json",
  ])
    expect([at, (await resolve(document, at)).ok]).toEqual([at, false]);
  expect(calls).toBe(5);

  expect(await resolve(document)).toMatchObject({ ok: true, client: { id, name: "Assistant" } });
  // Kept for some minutes, and asked for again after them.
  expect(await resolve(undefined)).toMatchObject({ ok: true, client: { name: "Assistant" } });
  const ada = await addPerson(api, "admin");
  const link = askFor(id);
  expect(await readClientSignIn(ada.context, { query: link.query })).toMatchObject({
    ...{ ok: true, documentHost: "assistant.example", redirectHost: "assistant.example" },
  });
  const code = (await allowClient(ada.context, link.query)).get("code");
  expect((await exchange(code, link)).status).toBe(200);
  await api.db.$executeRaw`update oauth_clients set expires_at = now()`;
  expect(await resolve({ ...document, client_name: "New" })).toMatchObject({
    client: { name: "New" },
  });
});
