/** Each as its documentation describes its API for webhooks. */
import {
  type FakeProvider,
  type FakeWebhook,
  nextId,
  readJson,
  remove,
  serveWebhooks,
} from "./fake-webhooks.ts";

/** Calendly's `/webhook_subscriptions`: no changes, no second one with a URL, and pages by a token. */
export function startFakeCalendly(): Promise<FakeProvider> {
  const base = "/webhook_subscriptions";
  const organization = "https://api.calendly.com/organizations/AAAA";
  return serveWebhooks((request, webhooks) => {
    const { method, path, query, headers } = request;
    if (headers.authorization !== "Bearer calendly-1")
      return { status: 401, body: { title: "Unauthenticated", message: "No" } };
    const show = (each: FakeWebhook) => ({
      ...{ uri: `https://api.calendly.com${base}/${each.id}`, callback_url: each.url },
      ...{ state: each.isEnabled ? "active" : "disabled", events: each.eventTypes, organization },
    });
    if (path === base && method === "GET") {
      const isRight =
        query.get("organization") === organization && query.get("scope") === "organization";
      if (!isRight) return { status: 400, body: { title: "Invalid Argument", message: "No" } };
      // Pages of one, whatever is asked for.
      const at = Number(query.get("page_token") ?? 0);
      const next = at + 1 < webhooks.length ? String(at + 1) : null;
      const collection = webhooks.slice(at, at + 1).map(show);
      return { status: 200, body: { collection, pagination: { next_page_token: next } } };
    }
    const sent = readJson(request);
    if (path === base && method === "POST") {
      if (sent.organization !== organization || sent.scope !== "organization")
        return { status: 400, body: { title: "Invalid Argument", message: "No scope" } };
      if (webhooks.some(({ url }) => url === sent.url))
        return { status: 409, body: { title: "Already Exists", message: "Hook with this url" } };
      const made: FakeWebhook = {
        ...{ id: `c-${nextId()}`, url: sent.url, eventTypes: sent.events, mark: null },
        ...{ isEnabled: true, secret: sent.signing_key ?? null },
      };
      webhooks.push(made);
      return { status: 201, body: { resource: show(made) } };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return { status: 404, body: { title: "Resource Not Found" } };
    return method === "DELETE" ? remove(webhooks, found) : { status: 405, body: {} };
  });
}

/** Trello's `/1/webhooks`, listed with the member's tokens, of which another one watches another board. */
export function startFakeTrello(): Promise<FakeProvider> {
  const base = "/1/webhooks";
  const idModel = "5abbe4b7ddc1b351ef961414";
  return serveWebhooks((request, webhooks) => {
    const { method, path, query, headers } = request;
    if (headers.authorization !== 'OAuth oauth_consumer_key="key", oauth_token="token"')
      return { status: 401, body: "invalid key" };
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, idModel, callbackURL: each.url, description: "" },
      ...{ active: each.isEnabled, consecutiveFailures: each.isEnabled ? 0 : 1_000 },
    });
    if (path === "/1/members/me/tokens") {
      const isWith = query.get("webhooks") === "true";
      const other = { ...show({ ...emptyWebhook, id: "other" }), idModel: "f".repeat(24) };
      const tokens = [
        { id: "1", webhooks: [other] },
        { id: "2", webhooks: webhooks.map(show) },
      ];
      return { status: 200, body: isWith ? tokens : tokens.map(({ id }) => ({ id })) };
    }
    const sent = readJson(request);
    if (path === base && method === "POST") {
      if (sent.idModel !== idModel) return { status: 400, body: "invalid value for idModel" };
      if (webhooks.some(({ url }) => url === sent.callbackURL))
        return { status: 400, body: { message: "A webhook with that callback already exists" } };
      const made = { ...emptyWebhook, id: `t-${nextId()}`, url: sent.callbackURL };
      webhooks.push(made);
      return { status: 200, body: show(made) };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return { status: 404, body: "not found" };
    if (method === "DELETE") return { ...remove(webhooks, found), status: 200 };
    found.url = sent.callbackURL ?? found.url;
    found.isEnabled = sent.active ?? found.isEnabled;
    return { status: 200, body: show(found) };
  });
}

/** Of the app that the token is of. */
const emptyWebhook: FakeWebhook = {
  ...{ id: "", url: "https://elsewhere.example.test/", eventTypes: ["*"], isEnabled: true },
  ...{ secret: "the secret of the Power-Up", mark: null },
};

/** SendGrid's `/v3/user/webhooks/event/settings`: signing by a call of its own, and the oldest one without an id. */
export function startFakeSendgrid(): Promise<FakeProvider> {
  const base = "/v3/user/webhooks/event/settings";
  return serveWebhooks((request, webhooks) => {
    const { method, path, headers } = request;
    if (headers.authorization !== "Bearer SG.1")
      return { status: 401, body: { errors: [{ message: "authorization required" }] } };
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, enabled: each.isEnabled, url: each.url },
      ...Object.fromEntries(sendgridTypes.map((type) => [type, each.eventTypes.includes(type)])),
      ...{ friendly_name: "Catchment", public_key: each.secret ?? undefined },
    });
    const sent = readJson(request);
    if (path === `${base}/all`)
      return { status: 200, body: { max_allowed: 5, webhooks: webhooks.map(show) } };
    if (path === base && method === "POST") {
      const eventTypes = sendgridTypes.filter((type) => sent[type] === true);
      const made = { id: `s-${nextId()}`, url: sent.url, eventTypes, isEnabled: sent.enabled };
      webhooks.push({ ...made, secret: null, mark: null });
      return { status: 201, body: show({ ...made, secret: null, mark: null }) };
    }
    const signed = webhooks.find(({ id }) => path === `${base}/signed/${id}`);
    if (signed !== undefined) {
      if (method === "PATCH") signed.secret = sent.enabled ? `MFkw-${signed.id}` : null;
      return { status: 200, body: { id: signed.id, public_key: signed.secret ?? "" } };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return { status: 404, body: { errors: [{ message: "not found" }] } };
    if (method === "DELETE") return remove(webhooks, found);
    found.url = sent.url ?? found.url;
    found.isEnabled = sent.enabled ?? found.isEnabled;
    found.eventTypes = sendgridTypes.filter(
      (type) => sent[type] ?? found.eventTypes.includes(type),
    );
    return { status: 200, body: show(found) };
  });
}

const sendgridTypes = [
  ...["group_resubscribe", "delivered", "group_unsubscribe", "spam_report", "bounce", "deferred"],
  ...["unsubscribe", "processed", "open", "click", "dropped"],
];
