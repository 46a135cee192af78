import { globSync } from "node:fs";
import { newId } from "#lib/base/ids.ts";
import { type Env, parseEnv } from "#lib/core/env/parse-env.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/scopes.ts";
import { openServerContext, type ServerContext } from "#lib/services/frame/server-context.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { checkResponse } from "./check-response.ts";
import { stopEvents } from "./open-events.ts";

/**
 * The REST API on a real database, called as Next calls it: through its route files, with real
 * requests.
 */
export type TestApi = {
  /** The URL of its database. */
  readonly url: string;
  readonly context: ServerContext;
  readonly db: Database;
  readonly routes: readonly TestRoute[];
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  createAccount(slug: string, scopes?: readonly ApiScope[]): Promise<TestAccount>;
  close(): Promise<void>;
};

export type TestAccount = { readonly id: string; readonly token: string };
type TestRoute = { readonly pattern: string; readonly module: RouteModule };
type RouteModule = Readonly<Record<string, unknown>>;
type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

type CallOptions = {
  readonly token?: string | null;
  readonly body?: unknown;
  /** The text to send unchanged instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are compared with expectations
  readonly body: any;
};

export async function openTestApi(variables: Variables = {}): Promise<TestApi> {
  const test = await createTestDatabase();
  const { url } = test;
  const context = openServerContext(readVariables({ DATABASE_URL: url, ...variables }));
  Object.assign(globalThis, {
    catchmentServerContext: context,
    catchmentThreadScript: new URL("../../services/threads/web-thread.ts", import.meta.url),
  });
  const routes = await loadRoutes();
  return {
    url,
    context,
    db: context.db,
    routes,
    call: (method, path, options = {}) => call(routes, method, path, options),
    createAccount: (slug, scopes = apiScopes) => createAccount(context.db, slug, scopes),
    close: async () => {
      await stopEvents();
      await Promise.all([context.db.$disconnect(), webThreads().close()]);
      for (const name of perProcess) Reflect.deleteProperty(globalThis, name);
      await test.drop();
    },
  };
}

/** The shared parts of a web process. Test files share a process, and each opens its own. */
const perProcess = [
  "catchmentServerContext",
  "catchmentThreads",
  "catchmentListenerWakes",
  "catchmentDownloads",
  "catchmentTestClient",
  "catchmentPortalClient",
  "catchmentTestCredentials",
];

export type Variables = Readonly<Record<string, string>>;

function readVariables(variables: Variables): Env {
  const read = parseEnv({
    CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
    CATCHMENT_PUBLIC_URL: "https://hooks.example.test",
    CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    CATCHMENT_PORTAL_EGRESS_ALLOW: "127.0.0.1/32",
    ...variables,
  });
  if (!read.ok) throw new Error("The environment of the test is not valid");
  return read.env;
}

/** A delivery as the catch path stores it, with a run for each enabled action. Returns its id. */
export async function storeDelivery(
  db: Database,
  accountId: string,
  hookId: string,
  fields: Partial<NewDelivery> & { text?: string } = {},
): Promise<string> {
  const { text = "{}", ...rest } = fields;
  const delivery = newDelivery(
    { id: hookId, accountId },
    {
      headersJson: '[["Content-Type","application/json"]]',
      contentType: "application/json",
      body: Buffer.from(text),
      ...rest,
    },
  );
  await storeDeliveries(db, [delivery]);
  return delivery.id;
}

async function createAccount(
  db: Database,
  slug: string,
  scopes: readonly ApiScope[],
): Promise<TestAccount> {
  const id = newId();
  await db.account.create({ data: { id, slug, name: slug } });
  const { token } = await createApiToken(db, id, {
    name: "test",
    userId: null,
    scopes,
    expiresAt: null,
  });
  return { id, token };
}

/** An account whose token is an owner's, who may do everything. */
export async function createOwnedAccount(api: TestApi, slug: string): Promise<TestAccount> {
  const { id } = await api.createAccount(slug);
  const userId = await addMember(api.db, id, "owner");
  const made = { name: "owner", userId, scopes: apiScopes, expiresAt: null };
  return { id, token: (await createApiToken(api.db, id, made)).token };
}

const appFolder = new URL("../../../app/api", import.meta.url).pathname;

async function loadRoutes(): Promise<TestRoute[]> {
  const files = globSync("**/route.ts", { cwd: appFolder });
  const routes = await Promise.all(
    files.map(async (file) => ({
      pattern: `/api/${file.replace(/\/route\.ts$/, "")}`,
      module: (await import(/* @vite-ignore */ `${appFolder}/${file}`)) as RouteModule,
    })),
  );
  // The catch-all comes last, as in Next.
  return routes.sort((a, b) => Number(a.pattern.includes("[[")) - Number(b.pattern.includes("[[")));
}

async function call(
  routes: readonly TestRoute[],
  method: string,
  path: string,
  { token, body, text, headers }: CallOptions,
): Promise<TestResponse> {
  const url = new URL(path, "http://localhost");
  const found = routes.map((route) => ({ route, params: match(route.pattern, url.pathname) }));
  const hit = found.find(({ params }) => params !== null);
  if (hit === undefined) throw new Error(`no route for ${path}`);
  const handler = hit.route.module[method] as Handler;
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const request = new Request(url, {
    method,
    headers: {
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...(typeof token === "string" ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const response = await handler(request, { params: Promise.resolve(hit.params ?? {}) });
  const responseText = await response.text();
  const { status } = response;
  const shown = {
    status,
    headers: response.headers,
    text: responseText,
    body: parse(responseText),
  };
  checkResponse(method, url.pathname.replace("/api/v1", ""), shown);
  return shown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function match(pattern: string, pathname: string): Record<string, string> | null {
  const names: string[] = [];
  const source = pattern
    .replace(/\/\[\[\.\.\.\w+\]\]/, "(?:/.*)?")
    .replace(/\[(\w+)\]/g, (_, name: string) => {
      names.push(name);
      return "([^/]+)";
    });
  const hit = new RegExp(`^${source}$`).exec(pathname);
  if (hit === null) return null;
  return Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(hit[index + 1] ?? "")]),
  );
}
