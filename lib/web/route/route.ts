import type { z } from "zod";
import type { ErrorCode } from "#lib/base/errors.ts";
import { type ApiPermission, scopeOf } from "#lib/schema/account/permissions.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { Service, ServiceContext } from "#lib/services/frame/service.ts";
import type { View } from "./view.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One call of the REST API, described once: the API serves it, and the OpenAPI document, the tables
 * of the docs, and the test of permissions are made from it.
 */
export type Route = {
  readonly method: Method;
  /** The path below `/api/v1`, such as `/hooks/{id}`. Its names are fields of the input. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly permission: ApiPermission;
  readonly scope: ApiScope;
  /** Path, query, and body together. */
  readonly input: z.ZodType;
  /** The status of a success. Default: 200; 204 has no body. */
  readonly status: number;
  /** The status if an earlier request has done the work, if it differs from `status`. */
  readonly repeatedStatus?: number;
  readonly response: z.ZodType | null;
  /** A hint added to the path's 405 response, for those who tried another method. */
  readonly methodHint?: string;
  /** A valid body, or the query of a GET. A test sends it. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Codes of errors that few calls return. `listErrors` knows the others. */
  readonly errors?: readonly ErrorCode[];
  /** The maximum size of a body. Default: 1 MiB. */
  readonly maxBodyBytes: number;
  /** True if numbers in the body keep digits that JavaScript would lose. */
  readonly exactNumbers: boolean;
  /** Null: the process that owns the port responds, see `server/roles/publish`. */
  readonly handle:
    | ((context: ServiceContext, input: unknown, call: Call) => Promise<unknown>)
    | null;
  /** True if it may be done twice: its `Idempotency-Key` isn't kept, which would cost more than itself. */
  readonly isRepeatable?: boolean;
  /** True for an export: `handle` returns a `RowSource`, and each row is a `response`. */
  readonly isStreamed?: boolean;
  /** The type of a response that may be written later. Then `handle` returns a `Response`. */
  readonly opens?: "text/event-stream" | "application/json";
  /** The type of the same response as text, for those who ask for it. */
  readonly alsoOpens?: { readonly type: "application/yaml"; readonly example: string };
};

/** The parts of its request that a lasting call needs. */
export type Call = {
  /** Aborted once no one waits for the response. */
  readonly signal: AbortSignal;
  /** Its header `Accept`. */
  readonly accept: string | null;
  /** Throws unless the caller may still read this, and sees the same. */
  readonly recheck: () => Promise<void>;
  /** The code and the text of an error, as in its problem document. */
  readonly explain: (error: unknown) => { readonly code: string; readonly detail: string };
};

export type ServedRoute = Route & { readonly handle: NonNullable<Route["handle"]> };

/** True if this process serves the call. */
export function isServed(route: Route): route is ServedRoute {
  return route.handle !== null;
}

type Words = Pick<
  Route,
  "method" | "path" | "operationId" | "summary" | "description" | "example" | "errors"
>;
type Options = Words & {
  readonly methodHint?: string;
  readonly status?: number;
  readonly maxBodyBytes?: number;
  readonly exactNumbers?: boolean;
  readonly isRepeatable?: boolean;
};
type ServiceOptions<Schema extends z.ZodType, Value> = Options & {
  readonly service: Service<Schema, Value, ApiPermission>;
  /** Null: 204. */
  readonly view: View<Value> | null;
};
type OpenOptions<Schema extends z.ZodType, Value> = Words & {
  readonly service: Service<Schema, Value, ApiPermission>;
  readonly opens: NonNullable<Route["opens"]>;
  readonly alsoOpens?: NonNullable<Route["alsoOpens"]>;
  readonly response: z.ZodType;
  readonly open: (context: ServiceContext, value: Value, call: Call) => Promise<Response>;
};
type ListenerOptions = Words &
  Pick<Route, "status" | "repeatedStatus" | "maxBodyBytes" | "input" | "response"> & {
    readonly scope: ApiScope;
  };

const mebibyte = 1024 * 1024;

/** A call that runs a service and shows its result by a view. */
export function route<Schema extends z.ZodType, Value>(
  options: ServiceOptions<Schema, Value>,
): ServedRoute {
  const { service, view, ...rest } = options;
  return {
    status: view === null ? 204 : 200,
    maxBodyBytes: mebibyte,
    exactNumbers: false,
    ...rest,
    permission: service.permission,
    scope: scopeOf(service.permission),
    input: service.input,
    response: view?.schema ?? null,
    handle: async (context, input) => {
      // The service parses its input, whatever it is.
      const value = await service(context, input as z.input<Schema>);
      return view?.show(value, context);
    },
  };
}

/** A call that lasts: its service checks what is asked for, and `open` writes the response. */
export function openRoute<Schema extends z.ZodType, Value>(
  options: OpenOptions<Schema, Value>,
): ServedRoute {
  const { service, open, ...rest } = options;
  return {
    status: 200,
    maxBodyBytes: 0,
    exactNumbers: false,
    ...rest,
    permission: service.permission,
    scope: scopeOf(service.permission),
    input: service.input,
    handle: async (context, input, call) =>
      // The service parses its input, whatever it is.
      await open(context, await service(context, input as z.input<Schema>), call),
  };
}

/** A call whose response comes from another process. The table only describes it. */
export function listenerRoute(options: ListenerOptions): Route {
  return { ...options, permission: options.scope, exactNumbers: true, handle: null };
}
