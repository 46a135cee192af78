import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { publicEventId } from "#lib/schema/send/event.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { routes } from "#lib/web/api/routes.ts";
import { type Row, request, rows, type Thing } from "#lib/web/testing/api-rows.ts";
import { createThings } from "#lib/web/testing/create-things.ts";
import {
  createOwnedAccount,
  openTestApi,
  type TestAccount,
  type TestApi,
} from "#lib/web/testing/test-api.ts";

const named = rows.map((row): [string, Row] => [`${row.method} ${row.path}`, row]);

let api: TestApi;
let owner: TestAccount;
let otherAccount: TestAccount;
let ids: Record<Thing, string>;
let portalTokens: readonly string[];
/** Tokens with every scope but this one. */
let lacking: ReadonlyMap<string, string>;

beforeAll(async () => {
  api = await openTestApi();
  owner = await createOwnedAccount(api, "owner");
  otherAccount = await createOwnedAccount(api, "other");
  ids = await createThings(api, owner);
  portalTokens = await Promise.all(
    [ids.recipient, "cust_other"].map(async (recipient) => {
      const input = { expiresInSeconds: 3_600, capabilities: [...portalCapabilities] };
      return (await createPortalLink(api.db, owner.id, recipient, input)).token;
    }),
  );
  const accounts = apiScopes.map(async (scope) => {
    const others = apiScopes.filter((each) => each !== scope);
    const { token } = await api.createAccount(`without-${scope.replace(":", "-")}`, others);
    return [scope, token] as const;
  });
  lacking = new Map(await Promise.all(accounts));
});
afterAll(() => api.close());

function send({ method, path, of, made, body }: Row, token: string | null, id?: string) {
  const known = of === undefined ? (made ?? "") : ids[of];
  const filled = path
    .replace(/\{(id|name)\}/, () => id ?? known)
    .replace("{number}", "1")
    .replace("{gapId}", ids.gap);
  return api.call(method, `/api/v1${filled}`, { token, ...(body === undefined ? {} : { body }) });
}

const snapshot = async () => ({
  accounts: await api.db.account.findMany({ where: { id: owner.id } }),
  hooks: await api.db.hook.findMany({ where: { accountId: owner.id } }),
  secrets: await api.db.hookSecret.count({ where: { accountId: owner.id } }),
  actions: await api.db.action.findMany({ where: { accountId: owner.id } }),
  credentials: await api.db.credential.findMany({ where: { accountId: owner.id } }),
  destinations: await api.db.destination.findMany({ where: { accountId: owner.id } }),
  backtests: await api.db.backtest.findMany({ where: { accountId: owner.id } }),
  jobs: await api.db.bulkJob.findMany({ where: { accountId: owner.id } }),
  runs: await readRuns(api.db, { accountId: owner.id }),
  subscriptions: await api.db.subscription.findMany({ where: { accountId: owner.id } }),
  subscriptionSecrets: await api.db.subscriptionSecret.count({ where: { accountId: owner.id } }),
  events: await api.db.event.count({ where: { accountId: owner.id } }),
  eventTypes: await api.db.eventType.findMany({ where: { accountId: owner.id } }),
  recipients: await api.db.recipient.findMany({ where: { accountId: owner.id } }),
  people: await api.db.membership.findMany({ where: { accountId: owner.id } }),
  invitations: await api.db.invitation.findMany({ where: { accountId: owner.id } }),
  alertChannels: await api.db.alertChannel.findMany({ where: { accountId: owner.id } }),
  alertRules: await api.db.alertRule.findMany({ where: { accountId: owner.id } }),
  problems: await api.db.problem.findMany({ where: { accountId: owner.id } }),
  savedViews: await api.db.savedView.findMany({ where: { accountId: owner.id } }),
  listeners: await api.db.listener.findMany({ where: { accountId: owner.id } }),
  portalLinks: await api.db.portalLink.findMany({ where: { accountId: owner.id } }),
});

it("every call of the API is a row of the table of routes", async () => {
  const files = api.routes.filter(({ pattern }) => pattern.startsWith("/api/v1"));
  expect(files.map(({ pattern }) => pattern)).toEqual(["/api/v1/[[...path]]"]);
  for (const { path } of routes) {
    const { headers } = await api.call("OPTIONS", `/api/v1${path.replace(/\{\w+\}/g, ids.hook)}`);
    const allowed = (headers.get("allow") ?? "").split(", ");
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const others = [...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    expect([path, allowed.toSorted()]).toEqual([path, [...methods, ...others].toSorted()]);
  }
});

it("every call with an id is tried with another account's, unless it creates what it names", () => {
  const untried = rows.filter(({ path, of, made }) => path.includes("{") && !of && !made);
  expect(untried).toEqual([]);
});

it("what another process answers is listed, and its path is nothing else's", async () => {
  const call = (method: string, path: string) => api.call(method, path, { token: owner.token });
  const events = await call("OPTIONS", "/api/v1/events");
  expect([events.status, events.headers.get("allow")]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
  const batch = await call("GET", "/api/v1/events/batch");
  expect([batch.status, batch.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(publicEventId.safeParse("batch").error?.issues[0]?.message).toContain("path of the API");
});

describe.each(named)("%s", (_, row) => {
  it("without a token: 401", async () => {
    const response = await send(row, null);
    expect([response.status, response.body.code, response.headers.get("www-authenticate")]).toEqual(
      [401, "unauthenticated", "Bearer"],
    );
  });

  // Revoked and expired ones are tried in role-matrix.
  it("with an unknown token: 401", async () => {
    for (const bad of ["cmt_unknown", `${owner.token}x`]) {
      expect((await send(row, bad)).status).toBe(401);
    }
  });

  it("with the token of a portal link, of its own recipient or of another: 401", async () => {
    for (const token of portalTokens) expect((await send(row, token)).status).toBe(401);
  });

  it("with every scope but its own: 403", async () => {
    const response = await send(row, lacking.get(row.scope) ?? "");
    expect([response.status, response.body.code]).toEqual([403, "forbidden"]);
    expect(response.body.detail).toContain(row.scope);
  });
});

describe("another account's id, an unknown one, and an invalid one", () => {
  let before: Awaited<ReturnType<typeof snapshot>>;
  beforeAll(async () => {
    before = await snapshot();
  });

  it.each(named.filter(([, { of }]) => of !== undefined))("%s: the same 404", async (_, row) => {
    const foreign = await send(row, otherAccount.token);
    const unknown = await send(row, owner.token, newId());
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    for (const id of [
      "x",
      "..%2F..",
      "%00",
      "'%20or%201=1",
      newId().toUpperCase(),
      `${newId()}0`,
    ]) {
      expect([id, (await send(row, owner.token, id)).text]).toEqual([id, unknown.text]);
    }
  });

  it("change nothing", async () => expect(await snapshot()).toEqual(before));
});

describe("another account's id inside a request", () => {
  it("is in no list", async () => {
    const lists = ["/hooks", "/deliveries", "/runs", "/bulk-jobs", "/credentials", "/destinations"];
    const sender = ["/subscriptions", "/events", "/event-types", "/recipients"];
    for (const path of [...lists, ...sender]) {
      expect(
        (await api.call("GET", `/api/v1${path}`, { token: otherAccount.token })).body.data,
      ).toEqual([]);
    }
    const filters = [
      `/deliveries?hookId=${ids.hook}`,
      `/runs?deliveryId=${ids.delivery}`,
      `/runs?actionId=${ids.action}`,
      `/runs?hookId=${ids.hook}`,
      `/runs?eventId=${ids.event}`,
      `/runs?subscriptionId=${ids.subscription}`,
      `/events?recipient=${ids.recipient}`,
      `/subscriptions?recipient=${ids.recipient}`,
    ];
    for (const path of filters) {
      expect(
        (await api.call("GET", `/api/v1${path}`, { token: otherAccount.token })).body.data,
      ).toEqual([]);
    }
  });

  it("can't be read by a preview without permission to read deliveries", async () => {
    const rights = {
      name: "narrow",
      userId: null,
      scopes: ["hooks:read"],
      expiresAt: null,
    } as const;
    const { token: narrow } = await createApiToken(api.db, owner.id, rights);
    const preview = (body: object) =>
      api.call("POST", `/api/v1/actions/${ids.action}/preview`, { token: narrow, body });
    expect((await preview({ deliveryId: ids.delivery })).status).toBe(403);
    expect((await preview({ payload: {} })).status).toBe(200);
  });

  it("can't be called with", async () => {
    const { hook } = await createThings(api, otherAccount);
    const requests = [
      { ...request, auth: { type: "credential", credentialId: ids.credential } },
      { ...request, destinationId: ids.destination },
    ];
    const calls = [
      ...requests.map((each) => [`/hooks/${hook}/actions`, { name: "n", request: each }] as const),
      ["/destinations", { name: "n", origin: request.url, credentialId: ids.credential }] as const,
    ];
    for (const [path, body] of calls) {
      const response = await api.call("POST", `/api/v1${path}`, {
        token: otherAccount.token,
        body,
      });
      expect([response.status, response.body.errors[0].code]).toEqual([400, "not_found"]);
    }
  });

  it("can't be resent to", async () => {
    const own = newEvent(otherAccount.id);
    await storeEvents(api.db, [own]);
    const body = { subscriptionIds: [ids.subscription] };
    const response = await api.call("POST", `/api/v1/events/${own.id}/resend`, {
      token: otherAccount.token,
      body,
    });
    expect(response.status).toBe(404);
  });

  it("can't be previewed or replayed with", async () => {
    const own = await createThings(api, otherAccount);
    const preview = { token: otherAccount.token, body: { deliveryId: ids.delivery } };
    expect((await api.call("POST", `/api/v1/actions/${own.action}/preview`, preview)).status).toBe(
      404,
    );
    const replay = { token: otherAccount.token, body: { actionIds: [ids.action] } };
    expect(
      (await api.call("POST", `/api/v1/deliveries/${own.delivery}/replay`, replay)).status,
    ).toBe(404);
  });
});
