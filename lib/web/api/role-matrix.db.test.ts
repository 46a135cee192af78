import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createApiToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { deleteMember } from "#lib/db/members/members.ts";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { roles } from "#lib/schema/account/role.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { routes } from "#lib/web/api/routes.ts";
import { isServed, type ServedRoute } from "#lib/web/route/route.ts";
import { snapshot } from "#lib/web/testing/command-place.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/**
 * Every call of the API × tokens of every role, and tokens that count no more. What another
 * account's owner may reach is tried with ids that exist, in api-matrix.
 */
const api = withApi();
const named = routes.filter(isServed).map((each) => [`${each.method} ${each.path}`, each] as const);
let byRole: readonly (readonly [(typeof roles)[number], string])[];
let ended: Readonly<Record<string, string | null>>;
let cells = 0;

beforeAll(async () => {
  byRole = await Promise.all(roles.map(async (role) => [role, (await addToken(role)).token]));
  const { id: accountId } = api.account;
  const [removed, revoked, expired] = [
    await addToken("owner"),
    await addToken("owner"),
    await addToken("owner"),
  ];
  await api.db.$transaction((tx) => deleteMember(tx, accountId, removed.userId));
  await revokeApiToken(api.db, accountId, revoked.id);
  await api.db.apiToken.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
  const link = { expiresInSeconds: 3_600, capabilities: [...portalCapabilities] };
  const portal = await createPortalLink(api.db, accountId, "cust_1", link);
  ended = {
    nobody: null,
    "removed member": removed.token,
    revoked: revoked.token,
    expired: expired.token,
    portal: portal.token,
  };
});
afterAll(() => {
  process.stdout.write(`calls × identities: ${cells} cells\n`);
});

async function addToken(role: (typeof roles)[number]) {
  const userId = await addMember(api.db, api.account.id, role);
  const made = { name: role, userId, scopes: apiScopes, expiresAt: null };
  return { userId, ...(await createApiToken(api.db, api.account.id, made)) };
}

function call({ method, path, example }: ServedRoute, token: string | null) {
  cells += 1;
  const filled = path.replace(/\{\w+\}/g, () => newId());
  const query = new URLSearchParams(example as Record<string, string> | undefined);
  if (method === "GET") return api.call(method, `/api/v1${filled}?${query}`, { token });
  return api.call(method, `/api/v1${filled}`, { token, ...(example && { body: example }) });
}

/** Every row, but for the last uses of tokens. */
async function withoutUse() {
  await api.db.apiToken.updateMany({ data: { lastUsedAt: null } });
  return await snapshot(api);
}

const denied = (route: ServedRoute) =>
  byRole.filter(([role]) => !isAllowed(role, route.permission));

// A comparison of all rows takes longer than a call, so it is made once for all that are refused.
describe("a call is refused", () => {
  let before: Awaited<ReturnType<typeof snapshot>>;
  beforeAll(async () => {
    before = await withoutUse();
  });

  it.each(named)("%s to tokens whose maker's role lacks its permission", async (_, route) => {
    for (const [name, token] of Object.entries(ended))
      expect([name, (await call(route, token)).status]).toEqual([name, 401]);
    for (const [role, token] of denied(route)) {
      const { status, body } = await call(route, token);
      expect([status, body.detail]).toEqual([
        403,
        expect.stringMatching(new RegExp(`^Only .* has the role ${role}\\.$`)),
      ]);
    }
  });

  it("and changes nothing", async () => expect(await withoutUse()).toEqual(before));
});

it.each(named)(
  "%s answers tokens whose maker's role has its permission",
  {
    tags: "variant",
  },
  async (_, route) => {
    const refused = denied(route);
    for (const [, token] of byRole.filter((each) => !refused.includes(each)))
      expect([401, 403, 500]).not.toContain((await call(route, token)).status);
  },
);
