import type { z } from "zod";
import type { ApiAnswer } from "#lib/core/api/api-answer.ts";
import { requireScope } from "#lib/core/api/bearer-token.ts";
import { AppError } from "#lib/errors.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";
import { noFields, noQuery } from "#lib/schema/field/common.ts";
import { type ServerContext, serverContext } from "#lib/web/request/server-context.ts";
import { toJsonText } from "#lib/web/rest/route/api-json.ts";
import { answerErrors, toResponse, withoutBody } from "./api-answer.ts";
import { requireToken } from "./api-auth.ts";
import { answerOnce } from "./api-idempotency.ts";
import { parseBody, parseQuery, readBody } from "./api-request.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type RouteParams = Readonly<Record<string, string | string[] | undefined>>;
type RouteContext = { readonly params: Promise<RouteParams | undefined> };
type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** One authenticated and parsed REST call. */
export type ApiCall<Query, Body> = {
  readonly context: ServerContext;
  readonly accountId: string;
  /** Who calls, for what keeps it: the name of the token. */
  readonly author: string;
  /** For calls that need another scope in some cases. Throws `forbidden`. */
  readonly requireScope: (scope: ApiScope) => void;
  /** The `{id}` or `{name}` of the path, as sent: not validated. */
  readonly id: string;
  /** The `{number}` of the path, as sent: not validated. */
  readonly number: string;
  readonly query: Query;
  readonly body: Body;
};

export type EndpointOptions<Query extends z.ZodType, Body extends z.ZodType> = {
  readonly scope: ApiScope;
  readonly query?: Query;
  readonly body?: Body;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Whether numbers in the body keep digits that JavaScript would lose. */
  readonly exactNumbers?: boolean;
  /** Default 200; 204 has no body. */
  readonly status?: number;
  readonly handle: (call: ApiCall<z.output<Query>, z.output<Body>>) => Promise<unknown>;
};

export type Endpoint = (request: Request, id: string, number: string) => Promise<ApiAnswer>;

/** One row of the REST table: scope, input, and handler. */
export function endpoint<
  Query extends z.ZodType = typeof noQuery,
  Body extends z.ZodType = typeof noFields,
>(options: EndpointOptions<Query, Body>): Endpoint {
  const { scope, status = 200, maxBodyBytes = 1024 * 1024, exactNumbers = false, handle } = options;
  const querySchema = options.query ?? noQuery;
  const bodySchema = options.body ?? noFields;
  return async (request, id, number) => {
    const context = serverContext();
    const holder = await requireToken(context.db, request);
    requireScope(holder, scope);
    const { accountId } = holder;
    const author = `API token ${holder.name}`;
    const also = (wanted: ApiScope) => requireScope(holder, wanted);
    const query = parseQuery(querySchema, new URL(request.url).searchParams) as z.output<Query>;
    const isChange = request.method !== "GET" && request.method !== "HEAD";
    const bytes = isChange ? await readBody(request, maxBodyBytes) : new Uint8Array();
    const contentType = request.headers.get("content-type");
    const body = parseBody(bodySchema, bytes, { contentType, exactNumbers }) as z.output<Body>;
    const work = async (): Promise<ApiAnswer> => {
      const caller = { context, accountId, author, requireScope: also };
      const value = await handle({ ...caller, id, number, query, body });
      return { status, text: status === 204 ? "" : toJsonText(value) };
    };
    if (!isChange) return work();
    // Inside, so that an error response of the handler is stored too.
    const call = { db: context.db, accountId, scopes: holder.scopes, request, body: bytes };
    return answerOnce(call, () => answerErrors(request, work));
  };
}

export type RouteNotes = {
  /** Added to the 405: why someone may have tried another method. */
  readonly hint?: string;
};

/**
 * The handlers of one Next route, for every method: methods without an endpoint answer 405 with the
 * allowed ones.
 */
export function apiRoute(endpoints: Partial<Record<Method, Endpoint>>, { hint }: RouteNotes = {}) {
  const allow = listMethods(Object.keys(endpoints));
  const answerOptions = async () => toResponse({ status: 204, text: "", headers: { allow } });
  const handler =
    (method: Method | "HEAD"): RouteHandler =>
    async (request, { params }) => {
      const found = endpoints[method === "HEAD" ? "GET" : method];
      if (found === undefined)
        return toResponse(await answerErrors(request, () => refuseMethod(allow, hint)));
      // Next passes no parameters at all to a route without any.
      const { id, name = id, number } = (await params) ?? {};
      const answer = await answerErrors(request, () =>
        found(request, toText(name), toText(number)),
      );
      return method === "HEAD" ? withoutBody(toResponse(answer)) : toResponse(answer);
    };
  return {
    GET: handler("GET"),
    HEAD: handler("HEAD"),
    POST: handler("POST"),
    PUT: handler("PUT"),
    PATCH: handler("PATCH"),
    DELETE: handler("DELETE"),
    OPTIONS: answerOptions,
  };
}

function toText(param: string | string[] | undefined): string {
  return typeof param === "string" ? param : "";
}

async function refuseMethod(allow: string, hint = ""): Promise<never> {
  throw new AppError("method_not_allowed", `This path only supports ${allow}. ${hint}`.trim(), {
    headers: { allow },
  });
}

function listMethods(names: readonly string[]): string {
  return [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
