import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createPortalLink, revokePortalLink } from "#lib/db/recipients/portal-links.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { type PortalCapability, portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { portalLinkSchema } from "#lib/schema/send/recipient.ts";
import { readSendActivity } from "#lib/services/activity.ts";
import {
  addRecipientEmail,
  listRecipientEmails,
  removeRecipientEmail,
} from "#lib/services/alerts/recipient-emails.ts";
import { getCatalogType, listCatalog } from "#lib/services/event-types.ts";
import { resendRun } from "#lib/services/events/resend-event.ts";
import type { Service } from "#lib/services/frame/service.ts";
import {
  getPortalSend,
  getPortalSubscription,
  listCallSources,
  listPortalRecoveries,
  listPortalSends,
  listPortalSubscriptions,
  readPortalUsage,
} from "#lib/services/portal.ts";
import { recover, replayMissing } from "#lib/services/subscriptions/recover.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  checkReceiver,
  disableSubscription,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { sendTestEvent } from "#lib/services/subscriptions/try-subscription.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { routes } from "#lib/web/api/routes.ts";
import { isServed } from "#lib/web/route/route.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { callPortalService } from "./call-portal.ts";
import { addPlace, headerValue, type Place } from "./testing/portal-place.ts";

/**
 * The test covers every page and command of the portal × what a token may not reach. A call that is
 * added without a line here fails the first test.
 */
let mails: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());
const api = withApi(() => ({
  SMTP_URL: mails.url,
  CATCHMENT_MAIL_FROM: "catchment@example.com",
}));
// biome-ignore lint/suspicious/noExplicitAny: each service has an input of its own
const pages: Readonly<Record<string, Service<any, unknown>>> = {
  listCallSources,
  listPortalSubscriptions,
  getPortalSubscription,
  listPortalSends,
  listPortalRecoveries,
  getPortalSend,
  readPortalUsage,
  listCatalog,
  getCatalogType,
  listVersionChoice,
  listRecipientEmails,
};
// biome-ignore lint/suspicious/noExplicitAny: each service has an input of its own
const commands: Readonly<Record<string, Service<any, unknown>>> = {
  createSubscription,
  updateSubscription,
  checkReceiver,
  rotateSubscriptionSecret,
  sendTestEvent,
  resendRun,
  readSendActivity,
  recover,
  replayMissing,
  disableSubscription,
  enableSubscription,
  deleteSubscription,
  addRecipientEmail,
  removeRecipientEmail,
};
const services = { ...pages, ...commands };

/** The subject of each call: a subscription, a send, or all that the link shows. */
const inputs: Readonly<Record<string, (at: Place) => object>> = {
  listCallSources: () => ({}),
  listPortalSubscriptions: () => ({}),
  getPortalSubscription: ({ subscriptionId }) => ({ id: subscriptionId }),
  listPortalSends: ({ subscriptionId }) => ({ id: subscriptionId }),
  readSendActivity: ({ subscriptionId }) => ({ id: subscriptionId, range: "7d" }),
  listPortalRecoveries: ({ subscriptionId }) => ({ id: subscriptionId }),
  getPortalSend: ({ runId }) => ({ id: runId }),
  readPortalUsage: () => ({}),
  listCatalog: () => ({}),
  listVersionChoice: ({ subscriptionId }) => ({ id: subscriptionId }),
  getCatalogType: () => ({ name: "a.b" }),
  createSubscription: () => ({ receiverUrl: "http://127.0.0.1:65000/in", eventTypes: ["*"] }),
  updateSubscription: ({ subscriptionId }) => ({ id: subscriptionId, description: "changed" }),
  checkReceiver: ({ subscriptionId }) => ({ id: subscriptionId }),
  rotateSubscriptionSecret: ({ subscriptionId }) => ({
    id: subscriptionId,
    expirePreviousAfterSeconds: 0,
  }),
  sendTestEvent: ({ subscriptionId }) => ({ id: subscriptionId }),
  resendRun: ({ runId }) => ({ id: runId }),
  recover: ({ subscriptionId }) => ({ id: subscriptionId, since: "2026-01-01" }),
  replayMissing: ({ subscriptionId }) => ({ id: subscriptionId, since: "2026-01-01" }),
  disableSubscription: ({ subscriptionId }) => ({ id: subscriptionId }),
  enableSubscription: ({ subscriptionId }) => ({ id: subscriptionId }),
  deleteSubscription: ({ subscriptionId }) => ({ id: subscriptionId }),
  listRecipientEmails: () => ({}),
  addRecipientEmail: () => ({ email: "ada@example.com" }),
  removeRecipientEmail: ({ emailId }) => ({ id: emailId }),
};

const names = Object.keys(inputs);
/** The calls that name something, which may be someone else's. */
const namesAbout = names.filter(hasId);
let own: Place;
let others: Readonly<Record<"another recipient's" | "another account's" | "no recipient's", Place>>;

beforeAll(async () => {
  const otherAccount = await api.createAccount("other");
  own = await addPlace(api.db, api.account.id, "cust_1");
  others = {
    "another recipient's": await addPlace(api.db, api.account.id, "cust_2"),
    "another account's": await addPlace(api.db, otherAccount.id, "cust_1"),
    "no recipient's": await addPlace(api.db, api.account.id, null),
  };
});

function nowhere(): Place {
  return { accountId: "", subscriptionId: "s", runId: "r", emailId: "e" };
}

function hasId(name: string): boolean {
  return JSON.stringify(inputs[name]?.(nowhere())).includes('"id":');
}

/** An event of the recipient that no subscription was sent. */
async function addMissed(accountId: string): Promise<void> {
  const [id, body] = [newId(), Buffer.from("{}")];
  const data = { id, publicId: id, accountId, type: "a.b", recipient: "cust_1", body };
  await api.db.event.create({ data });
}

async function addEventType(accountId: string): Promise<void> {
  await api.db.eventType.create({ data: { accountId, name: "a.b" } });
}

async function open(capabilities: readonly PortalCapability[] = portalCapabilities) {
  const input = portalLinkSchema.parse({ capabilities: [...capabilities] });
  return await createPortalLink(api.db, api.account.id, "cust_1", input);
}

function call(name: string, token: string, at: Place): Promise<unknown> {
  const service = services[name];
  if (service === undefined) throw new Error(`There is no call ${name}`);
  return callPortalService(api.context, token, service, inputs[name]?.(at));
}

/** The capability that a link needs for a call. */
function capabilityOf(name: string): PortalCapability {
  const needs = services[name]?.permission;
  if (needs === "sends:repeat") return "resend";
  const found = portalCapabilities.find((one) => one === needs);
  if (found === undefined) throw new Error(`No capability includes ${name}`);
  return found;
}

/** Everything that a call of the portal could change. */
async function snapshot(): Promise<string> {
  const [row] = await api.db.$queryRaw<{ text: string }[]>`
    select json_build_array(
      (select json_agg(to_jsonb(s) order by id) from subscriptions s),
      (select json_agg(to_jsonb(s) order by id) from subscription_secrets s),
      (select json_agg(id order by id) from events), (select json_agg(id order by id) from queue),
      (select json_agg(id order by id) from bulk_jobs),
      (select json_agg(to_jsonb(c) order by id) from alert_channels c)
    )::text as text`;
  return row?.text ?? "";
}

it("every page and every command is in this matrix, and the commands of the pages are all of them", () => {
  expect(names.toSorted()).toEqual(Object.keys(services).toSorted());
  const file = new URL("./commands.ts", import.meta.url);
  const text = readFileSync(file, "utf8");
  const exported = text.match(/^export /gm) ?? [];
  const run = [...text.matchAll(/^export const \w+ = (?:changeInPortal|askInPortal)\(\s*(\w+),/gm)];
  expect(run).toHaveLength(exported.length);
  expect(run.map(([, name]) => name).toSorted()).toEqual(Object.keys(commands).toSorted());
});

describe.each(names)("%s", (name) => {
  it("does nothing for a link that is unknown, expired, or revoked", async () => {
    const [expired, revoked] = [await open(), await open()];
    await api.db.$executeRaw`
      update portal_links set expires_at = now() - interval '1 ms' where id = ${expired.link.id}::uuid`;
    await revokePortalLink(api.db, api.account.id, "cust_1", revoked.link.id);
    const before = await snapshot();
    const unknown = `cpl_${"a".repeat(36)}`;
    for (const token of [unknown, "", expired.token, revoked.token, api.account.token])
      await expect(call(name, token, own)).rejects.toMatchObject({ code: "not_found" });
    expect(await snapshot()).toBe(before);
  });

  it("does nothing for a link without its capability", async () => {
    const needs = capabilityOf(name);
    const { token } = await open(portalCapabilities.filter((one) => one !== needs));
    const before = await snapshot();
    await expect(call(name, token, own)).rejects.toMatchObject({ code: "forbidden" });
    expect(await snapshot()).toBe(before);
  });
});

describe.each(namesAbout)("%s", (name) => {
  it.each(["another recipient's", "another account's", "no recipient's"] as const)(
    "finds nothing of %s",
    async (whose) => {
      const { token } = await open();
      const before = await snapshot();
      await expect(call(name, token, others[whose])).rejects.toMatchObject({ code: "not_found" });
      expect(await snapshot()).toBe(before);
    },
  );
});

describe("a link with its capability", () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await open());
  });

  it("does nothing of the REST API that the portal has no page for", async () => {
    const actor = {
      type: "portal",
      accountId: api.account.id,
      recipient: "cust_1",
      capabilities: portalCapabilities,
    } as const;
    const context = testContext(api.db, api.account.id, { actor });
    const known = new Set([...Object.keys(commands), "recoverSubscription"]);
    const others = routes.filter(isServed).filter(({ operationId }) => !known.has(operationId));
    expect(others.length).toBeGreaterThan(10);
    const { signal } = new AbortController();
    const lasting = {
      signal,
      accept: null,
      recheck: async () => {},
      explain: () => ({ code: "", detail: "" }),
    };
    for (const { operationId, handle } of others)
      await expect(handle(context, {}, lasting), operationId).rejects.toMatchObject({
        code: "forbidden",
      });
  });

  it.each(names)("%s works for its own recipient, and returns no header's value", async (name) => {
    const at = await addPlace(api.db, api.account.id, "cust_1");
    if (name === "enableSubscription") await call("disableSubscription", token, at);
    if (name === "recover")
      await addRun(api.db, {
        accountId: at.accountId,
        targetId: at.subscriptionId,
        state: "failed",
      });
    if (name === "replayMissing") await addMissed(at.accountId);
    if (name === "addRecipientEmail") await api.db.alertChannel.deleteMany();
    if (name === "getCatalogType") await addEventType(at.accountId);
    const returned = JSON.stringify({ value: await call(name, token, at) });
    expect(returned).not.toContain(headerValue);
  });

  it("lists only its recipient's subscriptions", async () => {
    const list = await callPortalService(api.context, token, listPortalSubscriptions, {});
    const ids = list.items.map(({ id }) => id);
    expect(ids).toContain(own.subscriptionId);
    for (const { subscriptionId } of Object.values(others))
      expect(ids).not.toContain(subscriptionId);
  });
});
