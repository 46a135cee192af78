/** Each as its documentation describes its API for webhooks. */
import {
  type FakeProvider,
  type FakeReply,
  type FakeWebhook,
  nextId,
  ok,
  serveWebhooks,
} from "./fake-webhooks.ts";

/** Stripe's `/v1/webhook_endpoints`: forms, pages by `starting_after`, and a secret that is said once. */
export function startFakeStripe(key = "rk_test_writer"): Promise<FakeProvider> {
  return serveWebhooks(({ method, path, query, headers, text }, webhooks) => {
    if (headers.authorization !== `Bearer ${key}`)
      return stripeError(401, "Invalid API Key provided");
    const form = new URLSearchParams(text);
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, object: "webhook_endpoint", url: each.url },
      ...{ enabled_events: each.eventTypes, status: each.isEnabled ? "enabled" : "disabled" },
      metadata: each.mark === null ? {} : { catchment: each.mark },
    });
    const events = form.getAll("enabled_events[]");
    if (path === "/v1/webhook_endpoints" && method === "GET") {
      const limit = Number(query.get("limit") ?? 10);
      const start = webhooks.findIndex(({ id }) => id === query.get("starting_after")) + 1;
      const data = webhooks.slice(start, start + limit).map(show);
      return ok({ object: "list", data, has_more: start + limit < webhooks.length });
    }
    if (path === "/v1/webhook_endpoints" && method === "POST") {
      const url = form.get("url") ?? "";
      if (URL.parse(url) === null) return stripeError(400, "Not a valid URL");
      const secret = `whsec_${String(nextId()).padStart(32, "a")}`;
      const mark = form.get("metadata[catchment]");
      const made = { id: `we_${nextId()}`, url, eventTypes: events, isEnabled: true, secret, mark };
      webhooks.push(made);
      return ok({ ...show(made), secret });
    }
    const found = webhooks.find(({ id }) => path === `/v1/webhook_endpoints/${id}`);
    if (found === undefined) return stripeError(404, "No such webhook endpoint");
    if (method === "DELETE") {
      webhooks.splice(webhooks.indexOf(found), 1);
      return ok({ id: found.id, deleted: true });
    }
    found.url = form.get("url") ?? found.url;
    if (events.length > 0) found.eventTypes = events;
    if (form.get("disabled") === "false") found.isEnabled = true;
    return ok(show(found));
  });
}

function stripeError(status: number, message: string): FakeReply {
  return { status, body: { error: { type: "invalid_request_error", message } } };
}

/** GitHub's `/repos/{owner}/{repo}/hooks`: a change without `config.secret` removes the secret. */
export function startFakeGithub(repository = "acme/shop"): Promise<FakeProvider> {
  return serveWebhooks(({ method, path, query, headers, text }, webhooks) => {
    const base = `/repos/${repository}/hooks`;
    if (headers["user-agent"] === undefined) return { status: 403, body: { message: "No agent" } };
    if (headers.authorization !== "Bearer github_pat_1")
      return { status: 401, body: { message: "Bad credentials" } };
    const show = (each: FakeWebhook) => ({
      ...{ id: Number(each.id), name: "web", active: each.isEnabled, events: each.eventTypes },
      config: { url: each.url, content_type: "json", insecure_ssl: "0", secret: "********" },
    });
    if (path === base && method === "GET") {
      const perPage = Number(query.get("per_page") ?? 30);
      const start = (Number(query.get("page") ?? 1) - 1) * perPage;
      return ok(webhooks.slice(start, start + perPage).map(show));
    }
    const sent = text === "" ? {} : JSON.parse(text);
    if (path === base && method === "POST") {
      const { url, secret } = sent.config;
      if (webhooks.some((each) => each.url === url))
        return { status: 422, body: { message: "Hook already exists on this repository" } };
      const made: FakeWebhook = {
        ...{ id: String(nextId()), url, secret, mark: null },
        ...{ eventTypes: sent.events, isEnabled: sent.active },
      };
      webhooks.push(made);
      return { status: 201, body: show(made) };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return { status: 404, body: { message: "Not Found" } };
    if (method === "DELETE") {
      webhooks.splice(webhooks.indexOf(found), 1);
      return { status: 204, body: null };
    }
    found.eventTypes = sent.events ?? found.eventTypes;
    found.isEnabled = sent.active ?? found.isEnabled;
    if (sent.config !== undefined) {
      found.url = sent.config.url ?? found.url;
      found.secret = sent.config.secret ?? null;
    }
    return ok(show(found));
  });
}

const gitlabTypes = ["push_events", "issues_events", "merge_requests_events", "note_events"];

/** GitLab's `/projects/{id}/hooks`: flags for types, pushes unless told not to, and a token that a new URL resets. */
export function startFakeGitlab(): Promise<FakeProvider> {
  return serveWebhooks(({ method, path, headers, text }, webhooks) => {
    const base = "/api/v4/projects/acme%2Fshop/hooks";
    if (headers["private-token"] !== "glpat-1")
      return { status: 401, body: { message: "401 Unauthorized" } };
    const show = (each: FakeWebhook) => ({
      ...{ id: Number(each.id), url: each.url, project_id: 3, enable_ssl_verification: true },
      ...Object.fromEntries(gitlabTypes.map((type) => [type, each.eventTypes.includes(type)])),
      ...{ alert_status: each.isEnabled ? "executable" : "disabled", disabled_until: null },
    });
    if (path === base && method === "GET") return ok(webhooks.map(show));
    const sent = text === "" ? {} : JSON.parse(text);
    const isOn = (type: string, before: boolean) => sent[type] ?? before;
    if (path === base && method === "POST") {
      const made: FakeWebhook = {
        ...{ id: String(nextId()), url: sent.url, secret: sent.token, isEnabled: true, mark: null },
        eventTypes: gitlabTypes.filter((type) => isOn(type, type === "push_events")),
      };
      webhooks.push(made);
      return { status: 201, body: show(made) };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return { status: 404, body: { message: "404 Not found" } };
    if (method === "DELETE") {
      webhooks.splice(webhooks.indexOf(found), 1);
      return { status: 204, body: null };
    }
    if (sent.url !== found.url) found.secret = null;
    found.url = sent.url;
    found.secret = sent.token ?? found.secret;
    const { eventTypes } = found;
    found.eventTypes = gitlabTypes.filter((type) => isOn(type, eventTypes.includes(type)));
    return ok(show(found));
  });
}

/** Shopify's GraphQL: one subscription for each topic, and errors with 200. */
export function startFakeShopify(): Promise<FakeProvider> {
  return serveWebhooks(({ path, headers, text }, webhooks) => {
    if (path !== "/admin/api/2026-07/graphql.json") return { status: 404, body: {} };
    if (headers["x-shopify-access-token"] !== "shpat_1")
      return { status: 401, body: { errors: "[API] Invalid API key or access token" } };
    const { query, variables } = JSON.parse(text);
    const reply = (field: string, message?: string) =>
      ok({ data: { [field]: { userErrors: message === undefined ? [] : [{ message }] } } });
    if (query.includes("webhookSubscriptions(")) {
      const start = webhooks.findIndex(({ id }) => id === variables.after) + 1;
      const nodes = webhooks
        .slice(start, start + 250)
        .map(({ id, url, eventTypes }) => ({ id, topic: eventTypes[0], uri: url }));
      const hasNextPage = start + 250 < webhooks.length;
      const pageInfo = { hasNextPage, endCursor: nodes.at(-1)?.id ?? null };
      return ok({ data: { webhookSubscriptions: { nodes, pageInfo } } });
    }
    if (query.includes("webhookSubscriptionCreate")) {
      const { topic, webhook } = variables;
      const isTaken = webhooks.some(
        ({ url, eventTypes }) => url === webhook.uri && eventTypes[0] === topic,
      );
      if (isTaken)
        return reply("webhookSubscriptionCreate", "Address for this topic has already been taken");
      if (topic === "ORDERS_UNKNOWN")
        return ok({ errors: [{ message: "Variable $topic was provided invalid value" }] });
      const id = `gid://shopify/WebhookSubscription/${nextId()}`;
      webhooks.push({
        ...{ id, url: webhook.uri, eventTypes: [topic], isEnabled: true, secret: null, mark: null },
      });
      return reply("webhookSubscriptionCreate");
    }
    const found = webhooks.find(({ id }) => id === variables.id);
    if (query.includes("webhookSubscriptionUpdate")) {
      if (found === undefined) return reply("webhookSubscriptionUpdate", "Not found");
      found.url = variables.webhook.uri;
      return reply("webhookSubscriptionUpdate");
    }
    if (found === undefined) return reply("webhookSubscriptionDelete", "Not found");
    webhooks.splice(webhooks.indexOf(found), 1);
    return reply("webhookSubscriptionDelete");
  });
}
