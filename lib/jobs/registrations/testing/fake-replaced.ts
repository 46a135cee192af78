/** Those whose webhooks are replaced, as their documentation describes their API for webhooks. */
import {
  type FakeProvider,
  type FakeReply,
  type FakeWebhook,
  nextId,
  ok,
  readJson,
  remove,
  serveWebhooks,
} from "./fake-webhooks.ts";

type Handshake = (target: string, secret: string) => Promise<boolean>;

/**
 * Asana's `/webhooks` of a project: a handshake before the response to the creation, a target that can't be changed and
 * isn't taken twice, and pages by an offset.
 */
export async function startFakeAsana(
  handshake: Handshake = async () => true,
): Promise<FakeProvider> {
  const base = "/api/1.0/webhooks";
  let secret = "";
  let isShaken = false;
  const fake = await serveWebhooks((request, webhooks) => {
    const { method, path, query, headers } = request;
    if (headers.authorization !== "Bearer asana-1") return fail(401, "Not Authorized");
    if (path === base && method === "GET") {
      if (query.get("workspace") !== "12001" || query.get("resource") !== "34002")
        return fail(400, "workspace: Missing input");
      if (!(query.get("opt_fields") ?? "").includes("filters.action"))
        return fail(400, "opt_fields");
      // Pages of one, whatever is asked for.
      const at = Number(query.get("offset") ?? 0);
      const next = at + 1 < webhooks.length ? { offset: String(at + 1), path: "", uri: "" } : null;
      return ok({ data: webhooks.slice(at, at + 1).map(showAsana), next_page: next });
    }
    const { data } = readJson(request);
    if (path === base && method === "POST") {
      if (data.resource !== "34002") return fail(400, "resource: Unknown object");
      if (webhooks.some(({ url }) => url === data.target))
        return fail(403, "Duplicate webhook detected");
      if (!isShaken) return fail(400, "The remote server didn't complete the handshake");
      const made = {
        ...{ id: String(nextId()), url: data.target, eventTypes: toTypes(data.filters) },
        ...{ isEnabled: true, secret, mark: null },
      };
      webhooks.push(made);
      return { status: 201, body: { data: showAsana(made), "X-Hook-Secret": secret } };
    }
    const found = webhooks.find(({ id }) => path === `${base}/${id}`);
    if (found === undefined) return fail(404, "webhook: Unknown object");
    if (method === "DELETE") return { ...remove(webhooks, found), ...ok({ data: {} }) };
    if (data.target !== undefined) return fail(400, "target: Not a recognized field");
    found.eventTypes = toTypes(data.filters);
    return ok({ data: showAsana(found) });
  });
  fake.onRequest = async ({ method, text }) => {
    if (method !== "POST") return;
    secret = `asana-secret-${nextId()}`;
    isShaken = await handshake(JSON.parse(text).data.target, secret);
  };
  return fake;
}

function showAsana({ id, url, eventTypes, isEnabled }: FakeWebhook) {
  const filters = eventTypes
    .filter((type) => type !== "*")
    .map((type) => {
      const [resource_type, action] = type.split(".");
      return { resource_type, action: action ?? null, resource_subtype: null, fields: null };
    });
  const failure = { last_failure_content: isEnabled ? "" : "410 Gone" };
  return { gid: id, resource_type: "webhook", target: url, active: isEnabled, ...failure, filters };
}

type Filter = { readonly resource_type: string; readonly action?: string };

function toTypes(filters: readonly Filter[]): string[] {
  const types = filters.map((each) => [each.resource_type, each.action ?? []].flat().join("."));
  return types.length === 0 ? ["*"] : types;
}

/** Airtable's `/webhooks` of a base, which end after a week, and of which two things can be done. */
export async function startFakeAirtable(startMs = Date.now()) {
  const base = "/v0/bases/appLkNDICXNqxSDhG/webhooks";
  const lifeMs = 7 * 86_400_000;
  const ends = new Map<string, number>();
  const clock = { ends, nowMs: startMs };
  const fake = await serveWebhooks((request, webhooks) => {
    const { method, path, headers } = request;
    if (headers.authorization !== "Bearer pat1") return failTyped(401, "AUTHENTICATION_REQUIRED");
    for (const each of webhooks.filter(({ id }) => (ends.get(id) ?? Infinity) <= clock.nowMs))
      webhooks.splice(webhooks.indexOf(each), 1);
    const endOf = (id: string) => new Date(ends.get(id) ?? clock.nowMs + lifeMs).toISOString();
    const show = (each: FakeWebhook) => ({
      ...{ id: each.id, notificationUrl: each.url, expirationTime: endOf(each.id) },
      ...{ isHookEnabled: true, areNotificationsEnabled: each.isEnabled, cursorForNextPayload: 1 },
      specification: { options: { filters: { dataTypes: each.eventTypes } } },
    });
    if (path === base && method === "GET") return ok({ webhooks: webhooks.map(show) });
    const sent = readJson(request);
    if (path === base && method === "POST") {
      const secret = Buffer.from(`airtable-secret-${nextId()}-0123456789`).toString("base64");
      const made = {
        ...{ id: `ach${nextId()}`, url: sent.notificationUrl, isEnabled: true, secret, mark: null },
        eventTypes: sent.specification.options.filters.dataTypes,
      };
      webhooks.push(made);
      ends.set(made.id, clock.nowMs + lifeMs);
      return ok({ id: made.id, macSecretBase64: secret, expirationTime: endOf(made.id) });
    }
    const [id, verb] = path.slice(base.length + 1).split("/");
    const found = webhooks.find((each) => each.id === id);
    if (found === undefined) return failTyped(404, "NOT_FOUND");
    if (method === "DELETE") return remove(webhooks, found);
    if (verb === "refresh") ends.set(found.id, clock.nowMs + lifeMs);
    else if (verb === "enableNotifications") found.isEnabled = sent.enable;
    else return failTyped(404, "NOT_FOUND");
    return ok(verb === "refresh" ? { expirationTime: endOf(found.id) } : {});
  });
  return Object.assign(fake, { clock });
}

function fail(status: number, message: string): FakeReply {
  return { status, body: { errors: [{ message, help: "For more information" }] } };
}

function failTyped(status: number, type: string): FakeReply {
  return { status, body: { error: { type } } };
}
