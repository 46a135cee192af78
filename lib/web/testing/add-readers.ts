import { newId } from "#lib/base/ids.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/scopes.ts";
import { writeSessionToken } from "#lib/web/auth/session-token.ts";
import type { withApi } from "./with-api.ts";

type Api = ReturnType<typeof withApi>;

/** Those who read pages and calls, by the role of their person. */
export type Readers = {
  readonly cookies: Readonly<Record<Role, string>>;
  /** `reader`: made by an admin, with every reading scope. */
  readonly tokens: Readonly<Record<"viewer" | "member" | "reader", string>>;
};

export async function addReaders(api: Api): Promise<Readers> {
  const viewer = await addPerson(api, "viewer");
  const member = await addPerson(api, "member");
  const admin = await addPerson(api, "admin");
  const owner = await addPerson(api, "owner");
  const reading = apiScopes.filter((scope) => scope.endsWith(":read"));
  return {
    cookies: {
      ...{ viewer: viewer.cookie, member: member.cookie },
      ...{ admin: admin.cookie, owner: owner.cookie },
    },
    tokens: {
      viewer: await addToken(api, viewer.userId, apiScopes),
      member: await addToken(api, member.userId, apiScopes),
      reader: await addToken(api, admin.userId, reading),
    },
  };
}

async function addPerson(api: Api, role: Role) {
  const accountId = api.account.id;
  const userId = await addMember(api.db, accountId, role);
  const sessionId = newId();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await api.db.session.create({
    data: { id: sessionId, userId, accountId, expiresAt, userAgent: "" },
  });
  const { sessionSecret } = api.context;
  const cookie = await writeSessionToken({ sub: userId, sid: sessionId }, sessionSecret);
  return { userId, cookie };
}

async function addToken(api: Api, userId: string, scopes: readonly ApiScope[]): Promise<string> {
  const token = { name: "t", userId, scopes, expiresAt: null };
  return (await createApiToken(api.db, api.account.id, token)).token;
}
