import { AppError } from "#lib/base/errors.ts";
import type { ApiResponse } from "#lib/core/api/api-response.ts";
import { invalidInput } from "#lib/core/api/parse-input.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { serverContext, serviceContext } from "#lib/services/frame/server-context.ts";
import { configurationSchemaText } from "#lib/web/configuration/configuration-schema.ts";
import { requireSameAccess } from "#lib/web/export/require-same-access.ts";
import { respondWithRows } from "#lib/web/export/respond-with-rows.ts";
import { chooseFormat } from "#lib/web/export/row-format.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { requireToken } from "#lib/web/request/require-token.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";
import { exportRows } from "#lib/web/route/export-route.ts";
import { findPath, type Params } from "#lib/web/route/find-route.ts";
import {
  type Call,
  isServed,
  type Method,
  type Route,
  type ServedRoute,
} from "#lib/web/route/route.ts";
import { respondOnce } from "./api-idempotency.ts";
import { readBody, readJson, readQuery } from "./api-request.ts";
import { explainError, respond, respondToErrors } from "./api-response.ts";
import { openApiText } from "./openapi.ts";
import { respondToGet, wrongMethod } from "./respond-to-get.ts";
import { routes } from "./routes.ts";

const basePath = "/api/v1";

/** Serves every request below `/api/v1` from the one table of routes. */
export async function serveApi(request: Request): Promise<Response> {
  return await respond(request, () => respondToRequest(request));
}

async function respondToRequest(request: Request): Promise<ApiResponse | Response> {
  const path = new URL(request.url).pathname.slice(basePath.length);
  if (path === "/openapi.json") return await respondToGet(request, respondWithDocument);
  if (path === "/configuration.schema.json")
    return await respondToGet(request, () => ({ status: 200, text: configurationSchemaText() }));
  const found = findPath(routes, path);
  if (found === null) throw new AppError("not_found", "No API endpoint at this path.");
  const allow = listMethods(found.routes);
  if (request.method === "OPTIONS") return { status: 204, text: "", headers: { allow } };
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = found.routes.filter(isServed).find((each) => each.method === method);
  const hint = found.routes.find(({ methodHint }) => methodHint !== undefined)?.methodHint;
  if (route === undefined) throw wrongMethod(allow, hint);
  return await respondToCall(request, route, found.params);
}

async function respondToCall(
  request: Request,
  route: ServedRoute,
  params: Params,
): Promise<ApiResponse | Response> {
  const parts = serverContext();
  const actor = await requireToken(parts, request);
  authorize(actor, route.permission);
  const context = serviceContext(actor, readRequestOrigin(request.headers));
  const isChange = route.method !== "GET";
  const bytes = isChange ? await readBody(request, route.maxBodyBytes) : new Uint8Array();
  const input = readCallInput(request, { route, params, bytes });
  const call: Call = {
    signal: request.signal,
    accept: request.headers.get("accept"),
    recheck: async () => {
      const now = await requireToken(parts, request);
      requireSameAccess(actor, now, route.permission);
    },
    explain: (error) => explainError(error, request),
  };
  if (route.isStreamed === true)
    return await respondWithRows(() => exportRows(route, context, input, call), {
      ...call,
      accountId: actor.accountId,
      format: chooseFormat(request.headers.get("accept")),
      isHead: request.method === "HEAD",
    });
  if (route.opens !== undefined) return (await route.handle(context, input, call)) as Response;
  const work = async (): Promise<ApiResponse> => {
    const value = await route.handle(context, input, call);
    return { status: route.status, text: route.status === 204 ? "" : toJsonText(value) };
  };
  if (!isChange || route.isRepeatable === true) return work();
  // The service runs inside, so that its error responses are stored too.
  const once = { parts, accountId: actor.accountId, caller: actor, request, body: bytes };
  return respondOnce(once, () => respondToErrors(request, work));
}

type CallParts = { readonly route: Route; readonly params: Params; readonly bytes: Uint8Array };

/** Path, query, and body as one input, not yet parsed. No part can replace another's field. */
function readCallInput(request: Request, { route, params, bytes }: CallParts): unknown {
  const query = readQuery(new URL(request.url).searchParams);
  const [unexpected] = route.method === "GET" ? [] : Object.keys(query);
  if (unexpected !== undefined) throw unknownField(unexpected);
  const { exactNumbers } = route;
  const contentType = request.headers.get("content-type");
  const given = route.method === "GET" ? query : readJson(bytes, { contentType, exactNumbers });
  const taken = Object.keys(params).find((name) => Object.hasOwn(given, name));
  if (taken !== undefined) throw unknownField(taken);
  return { ...given, ...params };
}

function unknownField(name: string): AppError {
  return invalidInput([{ path: name, code: "unknown_field", message: "Unknown field", name }]);
}

function respondWithDocument(): ApiResponse {
  return { status: 200, text: openApiText(serverContext().env.publicUrl) };
}

function listMethods(at: readonly Route[]): string {
  const order: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const names = order.filter((name) => at.some(({ method }) => method === name));
  return [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
