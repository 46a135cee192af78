/** Each as its documentation describes its API for webhooks. */
import {
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  type FakeWebhook,
  nextId,
  ok,
  readJson,
  remove,
  serveWebhooks,
} from "./fake-webhooks.ts";

/** Paddle's `/notification-settings`: pages by `after`, and a secret that is said at any time. */
export function startFakePaddle(): Promise<FakeProvider> {
  return serveWebhooks((request, webhooks) => {
    const { method, path, query } = request;
    if (!isAllowed(request, "Bearer pdl_1")) return fail(403, "authentication_missing");
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, type: "url", destination: each.url, active: each.isEnabled },
      subscribed_events: each.eventTypes.map((name) => ({ name, description: "", group: "" })),
      endpoint_secret_key: each.secret,
    });
    if (path === "/notification-settings" && method === "GET") {
      const perPage = Number(query.get("per_page") ?? 200);
      const start = webhooks.findIndex(({ id }) => id === query.get("after")) + 1;
      const data = webhooks.slice(start, start + perPage).map(show);
      const pagination = { per_page: perPage, has_more: start + perPage < webhooks.length };
      return ok({ data, meta: { pagination } });
    }
    const sent = readJson(request);
    if (path === "/notification-settings" && method === "POST") {
      if (sent.description === undefined || sent.type !== "url") return fail(400, "invalid_field");
      const made = {
        ...{ id: `ntfset_${nextId()}`, url: sent.destination, eventTypes: sent.subscribed_events },
        ...{ isEnabled: true, secret: `pdl_ntfset_${nextId()}_0123456789`, mark: null },
      };
      webhooks.push(made);
      return { status: 201, body: { data: show(made) } };
    }
    const found = webhooks.find(({ id }) => path === `/notification-settings/${id}`);
    if (found === undefined) return fail(404, "not_found");
    if (method === "DELETE") return remove(webhooks, found);
    if (method === "PATCH") {
      found.url = sent.destination ?? found.url;
      found.eventTypes = sent.subscribed_events ?? found.eventTypes;
      found.isEnabled = sent.active ?? found.isEnabled;
    }
    return ok({ data: show(found) });
  });
}

/** Resend's `/webhooks`: a list without secrets, and a secret in the response to the creation and of each. */
export function startFakeResend(): Promise<FakeProvider> {
  return serveWebhooks((request, webhooks) => {
    const { method, path, query } = request;
    if (!isAllowed(request, "Bearer re_1")) return fail(401, "missing_api_key");
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, endpoint: each.url, events: each.eventTypes },
      status: each.isEnabled ? "enabled" : "disabled",
    });
    if (path === "/webhooks" && method === "GET") {
      const limit = Number(query.get("limit") ?? 20);
      const start = webhooks.findIndex(({ id }) => id === query.get("after")) + 1;
      const data = webhooks.slice(start, start + limit).map(show);
      return ok({ object: "list", data, has_more: start + limit < webhooks.length });
    }
    const sent = readJson(request);
    if (path === "/webhooks" && method === "POST") {
      const secret = `whsec_${Buffer.from(`resend-secret-${nextId()}-0123456789`).toString("base64")}`;
      const made = {
        ...{ id: `wh-${nextId()}`, url: sent.endpoint, eventTypes: sent.events, secret },
        ...{ isEnabled: true, mark: null },
      };
      webhooks.push(made);
      return { status: 201, body: { object: "webhook", id: made.id, signing_secret: secret } };
    }
    const found = webhooks.find(({ id }) => path === `/webhooks/${id}`);
    if (found === undefined) return fail(404, "not_found");
    if (method === "DELETE") return remove(webhooks, found);
    if (method === "PATCH") {
      found.url = sent.endpoint ?? found.url;
      found.eventTypes = sent.events ?? found.eventTypes;
      if (sent.status !== undefined) found.isEnabled = sent.status === "enabled";
    }
    return ok({ ...show(found), signing_secret: found.secret });
  });
}

/** Square's `/v2/webhooks/subscriptions`: a key at the creation, and a new one by a call of its own. */
export function startFakeSquare(): Promise<FakeProvider> {
  const base = "/v2/webhooks/subscriptions";
  return serveWebhooks((request, webhooks) => {
    const { method, path, query } = request;
    if (!isAllowed(request, "Bearer EAAA1")) return fail(401, "UNAUTHORIZED");
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, name: "Catchment", enabled: each.isEnabled },
      ...{ event_types: each.eventTypes, notification_url: each.url },
    });
    if (path === base && method === "GET") {
      const listed = webhooks.filter(
        ({ isEnabled }) => isEnabled || query.get("include_disabled") === "true",
      );
      return ok(listed.length === 0 ? {} : { subscriptions: listed.map(show) });
    }
    const sent = readJson(request);
    const { subscription } = sent;
    if (path === base && method === "POST") {
      if (sent.idempotency_key === undefined) return fail(400, "BAD_REQUEST");
      const made = {
        ...{ id: `wbhk_${nextId()}`, url: subscription.notification_url },
        ...{ eventTypes: subscription.event_types, isEnabled: subscription.enabled },
        ...{ secret: `square-key-${nextId()}-0123456789`, mark: null },
      };
      webhooks.push(made);
      return ok({ subscription: { ...show(made), signature_key: made.secret } });
    }
    const keyed = webhooks.find(({ id }) => path === `${base}/${id}/signature-key`);
    if (keyed !== undefined && method === "POST") {
      keyed.secret = `square-key-${nextId()}-0123456789`;
      return ok({ signature_key: keyed.secret });
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return fail(404, "NOT_FOUND");
    if (method === "DELETE") return remove(webhooks, found);
    found.url = subscription.notification_url ?? found.url;
    found.eventTypes = subscription.event_types ?? found.eventTypes;
    found.isEnabled = subscription.enabled ?? found.isEnabled;
    return ok({ subscription: show(found) });
  });
}

/** Typeform's `/forms/{id}/webhooks`: one call to create and change, which disables unless told otherwise. */
export function startFakeTypeform(): Promise<FakeProvider> {
  const base = "/forms/lT4Z3j/webhooks";
  return serveWebhooks((request, webhooks) => {
    const { method, path } = request;
    if (!isAllowed(request, "Bearer tfp_1")) return fail(403, "AUTHENTICATION_FAILED");
    const show = (each: FakeWebhook) => ({
      ...{ id: `01${each.id}`, form_id: "lT4Z3j", tag: each.id, url: each.url },
      ...{ enabled: each.isEnabled, verify_ssl: true },
    });
    if (path === base) return ok({ items: webhooks.map(show) });
    const tag = decodeURIComponent(path.slice(base.length + 1));
    const found = webhooks.find(({ id }) => id === tag);
    if (method === "DELETE")
      return found === undefined ? fail(404, "NOT_FOUND") : remove(webhooks, found);
    const sent = readJson(request);
    const made = found ?? { id: tag, eventTypes: ["form_response"], mark: null };
    const changed = Object.assign(made, {
      ...{ url: sent.url, isEnabled: sent.enabled === true, secret: sent.secret ?? null },
    });
    if (found === undefined) webhooks.push(changed as FakeWebhook);
    return ok(show(changed as FakeWebhook));
  });
}

/** WooCommerce's `/wp-json/wc/v3/webhooks`: one topic each, a secret that no one knows unless it is sent, `force`. */
export function startFakeWoocommerce(): Promise<FakeProvider> {
  const base = "/wp-json/wc/v3/webhooks";
  return serveWebhooks((request, webhooks) => {
    const { method, path, query } = request;
    const expected = `Basic ${Buffer.from("ck_1:cs_1").toString("base64")}`;
    if (!isAllowed(request, expected)) return fail(401, "woocommerce_rest_cannot_view");
    const show = (each: FakeWebhook) => ({
      ...{ id: Number(each.id), name: "Catchment", topic: each.eventTypes[0] },
      ...{ delivery_url: each.url, status: each.isEnabled ? "active" : "disabled" },
    });
    if (path === base && method === "GET") {
      const perPage = Number(query.get("per_page") ?? 10);
      const start = (Number(query.get("page") ?? 1) - 1) * perPage;
      return ok(webhooks.slice(start, start + perPage).map(show));
    }
    const sent = readJson(request);
    if (path === base && method === "POST") {
      const made = {
        ...{ id: String(nextId()), url: sent.delivery_url, eventTypes: [sent.topic], mark: null },
        ...{ isEnabled: sent.status === "active", secret: sent.secret ?? "unknown" },
      };
      webhooks.push(made);
      return { status: 201, body: show(made) };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return fail(404, "woocommerce_rest_shop_webhook_invalid_id");
    if (method === "DELETE") {
      if (query.get("force") !== "true") return fail(501, "woocommerce_rest_trash_not_supported");
      return { ...remove(webhooks, found), status: 200 };
    }
    found.url = sent.delivery_url ?? found.url;
    found.secret = sent.secret ?? found.secret;
    if (sent.status !== undefined) found.isEnabled = sent.status === "active";
    return ok(show(found));
  });
}

function isAllowed({ headers }: FakeRequest, authorization: string): boolean {
  return headers.authorization === authorization;
}

function fail(status: number, code: string): FakeReply {
  return { status, body: { error: { code } } };
}

/** Chargebee's `/api/v2/webhook_endpoints`: numbered lists in forms, five at most, and Basic instead of a signature. */
export function startFakeChargebee(): Promise<FakeProvider> {
  const base = "/api/v2/webhook_endpoints";
  return serveWebhooks((request, webhooks) => {
    const { method, path } = request;
    const expected = `Basic ${Buffer.from("live_1:").toString("base64")}`;
    if (!isAllowed(request, expected)) return fail(401, "api_authentication_failed");
    const show = (each: FakeWebhook) => ({
      webhook_endpoint: {
        ...{ id: each.id, name: "Catchment", url: each.url, disabled: !each.isEnabled },
        ...{ enabled_events: each.eventTypes, api_version: "v2", object: "webhook_endpoint" },
      },
    });
    if (path === base && method === "GET") return ok({ list: webhooks.map(show) });
    const form = new URLSearchParams(request.text);
    const eventTypes = [...form].flatMap(([name, value]) =>
      /^enabled_events\[\d+\]$/.test(name) ? [value] : [],
    );
    const secret = `${form.get("basic_auth_username")}:${form.get("basic_auth_password")}`;
    if (path === base && method === "POST") {
      if (form.get("name") === null) return fail(400, "param_wrong_value");
      if (webhooks.length >= 5) return fail(400, "configuration_incompatible");
      const url = form.get("url") ?? "";
      const made = { id: `whe_${nextId()}`, url, eventTypes, isEnabled: true, secret, mark: null };
      webhooks.push(made);
      return ok(show(made));
    }
    const removed = webhooks.find(({ id }) => path === `${base}/${id}/delete`);
    if (removed !== undefined) return { ...remove(webhooks, removed), status: 200, body: {} };
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return fail(404, "resource_not_found");
    Object.assign(found, { url: form.get("url") ?? found.url, secret });
    if (eventTypes.length > 0) found.eventTypes = eventTypes;
    if (form.get("disabled") === "false") found.isEnabled = true;
    return ok(show(found));
  });
}
