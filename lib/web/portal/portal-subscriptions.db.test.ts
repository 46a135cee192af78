import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { z } from "zod";
import type { AppError } from "#lib/base/errors.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { completeChallenge } from "#lib/db/subscriptions/subscription-status.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { portalLinkSchema } from "#lib/schema/send/recipient.ts";
import { readSendActivity } from "#lib/services/activity.ts";
import type { Service } from "#lib/services/frame/service.ts";
import { replayMissing } from "#lib/services/subscriptions/recover.ts";
import {
  disableSubscription,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import {
  createSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { callPortalService } from "./call-portal.ts";

const api = withApi();
const own = { receiverUrl: "http://127.0.0.1:65000/in", recipient: "cust_1" };
let token: string;

beforeAll(async () => {
  const link = portalLinkSchema.parse({});
  ({ token } = await createPortalLink(api.db, api.account.id, own.recipient, link));
});

afterEach(() => {
  vi.useRealTimers();
});

const run = <Schema extends z.ZodType, Value>(service: Service<Schema, Value>, input: object) =>
  callPortalService(api.context, token, service, input);

it.each([
  "filter",
  "transform",
  "headers",
  "rateLimit",
  "metadata",
  "retry",
  "secret",
  "recipient",
])("can't set the %s of a subscription, which stays with the account", async (name) => {
  const { body } = await api.send("POST", "/subscriptions", own);
  const before = await api.db.subscription.findMany();
  const unknown = { errors: [{ path: name, code: "unknown_field" }] };
  const created = { receiverUrl: "http://127.0.0.1:65000/in", [name]: null };
  await expect(run(createSubscription, created)).rejects.toMatchObject(unknown);
  const changed = { id: body.id, [name]: null };
  await expect(run(updateSubscription, changed)).rejects.toMatchObject(unknown);
  expect(await api.db.subscription.findMany()).toEqual(before);
});

it("creates subscriptions of its own recipient only, pending until the challenge is answered", async () => {
  const input = {
    receiverUrl: "http://127.0.0.1:65000/x",
    eventTypes: ["*"],
    recipient: "cust_2",
  };
  await expect(run(createSubscription, input)).rejects.toMatchObject({
    errors: [{ path: "recipient", code: "unknown_field" }],
  });
  const { recipient: _recipient, ...rest } = input;
  const { id } = (await run(createSubscription, rest)).subscription;
  const stored = await api.db.subscription.findUniqueOrThrow({ where: { id } });
  expect(stored).toMatchObject({
    recipient: "cust_1",
    status: "pending",
    receiverByPortal: true,
  });
  await completeChallenge(api.db, api.account.id, { id, receiverUrl: input.receiverUrl });
  const moved = { id, receiverUrl: "http://127.0.0.1:65000/y" };
  expect((await run(updateSubscription, moved)).status).toBe("pending");
});

it("can't skip the challenge by moving a disabled subscription and enabling it", async () => {
  const receiverUrl = "http://127.0.0.1:65000/agreed";
  const { id } = (await run(createSubscription, { receiverUrl, eventTypes: ["*"] })).subscription;
  await completeChallenge(api.db, api.account.id, { id, receiverUrl });
  expect((await run(disableSubscription, { id })).status).toBe("disabled");
  const moved = { id, receiverUrl: "http://127.0.0.1:65000/never-asked" };
  expect((await run(updateSubscription, moved)).status).toBe("pending");
  await expect(run(enableSubscription, { id })).rejects.toMatchObject({ code: "conflict" });
});

it("enters only URLs that the portal's own allow-list has, and each URL keeps who set it", async () => {
  const refused = {
    errors: [
      {
        path: "receiverUrl",
        code: "not_allowed",
        message: expect.stringContaining("CATCHMENT_PORTAL_EGRESS_ALLOW"),
      },
    ],
  };
  const accountOnly = "http://127.0.0.2:65000/in";
  const created = { receiverUrl: accountOnly, eventTypes: ["*"] };
  await expect(run(createSubscription, created)).rejects.toMatchObject(refused);
  const { body } = await api.send("POST", "/subscriptions", {
    receiverUrl: accountOnly,
    recipient: "cust_1",
  });
  const setByPortal = async () => {
    const stored = await api.db.subscription.findUniqueOrThrow({ where: { id: body.id } });
    return stored.receiverByPortal;
  };
  // The account's URL stays the account's while the portal changes something else.
  const edited = { id: body.id, receiverUrl: accountOnly, description: "ours" };
  await run(updateSubscription, edited);
  expect(await setByPortal()).toBe(false);
  const elsewhere = { id: body.id, receiverUrl: "http://127.0.0.3:65000/" };
  await expect(run(updateSubscription, elsewhere)).rejects.toMatchObject(refused);
  const moved = { id: body.id, receiverUrl: "http://127.0.0.1:65000/" };
  await run(updateSubscription, moved);
  expect(await setByPortal()).toBe(true);
  // The portal's URL stays the portal's until the account saves another one.
  const path = `/subscriptions/${body.id}`;
  await api.send("PATCH", path, { receiverUrl: moved.receiverUrl, description: "theirs" });
  expect(await setByPortal()).toBe(true);
  await api.send("PATCH", path, { receiverUrl: accountOnly });
  expect(await setByPortal()).toBe(false);
});

it("makes so many changes at a time, apart from other recipients and from reads", async () => {
  const link = portalLinkSchema.parse({});
  const open = async (recipient: string) =>
    (await createPortalLink(api.db, api.account.id, recipient, link)).token;
  const [busy, other] = [await open("busy"), await open("other")];
  const change = (of: string) =>
    callPortalService(api.context, of, createSubscription, {
      receiverUrl: "not a URL",
      eventTypes: ["*"],
    });
  vi.useFakeTimers({ toFake: ["Date"] });
  const codes: string[] = [];
  for (let made = 0; made < 150; made += 1)
    await change(busy).catch(({ code }: AppError) => codes.push(code));
  expect(new Set(codes)).toEqual(new Set(["invalid_request", "rate_limited"]));
  expect(codes.indexOf("rate_limited")).toBe(100);
  await expect(change(other)).rejects.toMatchObject({ code: "invalid_request" });
  const read = callPortalService(api.context, busy, readSendActivity, { id: "x", range: "24h" });
  await expect(read).rejects.toMatchObject({ code: "not_found" });
});

it("leaves room for the account's own jobs, and for those of other recipients", async () => {
  const open = async (recipient: string) => {
    await storeEvents(api.db, [newEvent(api.account.id, { recipient })]);
    const { body } = await api.send("POST", "/subscriptions", { ...own, recipient });
    const link = portalLinkSchema.parse({});
    const opened = await createPortalLink(api.db, api.account.id, recipient, link);
    const input = { id: body.id, since: "2026-01-01" };
    return () => callPortalService(api.context, opened.token, replayMissing, input);
  };
  const [first, second, third] = [await open("cust_a"), await open("cust_b"), await open("cust_c")];
  await first();
  await first();
  await expect(first()).rejects.toMatchObject({ code: "conflict" });
  await second();
  await expect(third()).rejects.toMatchObject({ code: "conflict" });
  await storeEvents(api.db, [newEvent(api.account.id)]);
  const { receiverUrl } = own;
  const { body } = await api.send("POST", "/subscriptions", { receiverUrl });
  const path = `/subscriptions/${body.id}/replay-missing`;
  const replay = async () => (await api.send("POST", path, { since: "2026-01-01" })).status;
  expect([await replay(), await replay(), await replay()]).toEqual([202, 202, 409]);
});
