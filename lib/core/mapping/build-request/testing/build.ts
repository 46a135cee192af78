import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { checkout, contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { type BuildResult, buildRequest } from "../build-request.ts";

export const context = contextOf(checkout);
export const runId = "0193b000-0000-7000-8000-00000000000a";

export type RequestFields = Partial<ActionRequestTemplate>;

export function requestOf(fields: RequestFields): ActionRequestTemplate {
  return {
    method: "POST",
    url: "https://api.example.com/v1",
    headers: {},
    query: {},
    body: null,
    bodyText: null,
    forward: null,
    ...fields,
  };
}

export function build(
  fields: RequestFields,
  from: MappingContext = context,
  auth: RequestAuth | null = null,
): BuildResult {
  return buildRequest({
    request: requestOf(fields),
    auth,
    context: from,
    runId,
    version: "0.1.0",
    nowMs: 0,
  });
}

/** The request as it is sent, with its body as text. Throws if it can't be built. */
export function sent(fields: RequestFields, from?: MappingContext, auth?: RequestAuth) {
  const built = build(fields, from, auth);
  if (!built.ok) throw new Error(JSON.stringify(built.errors));
  const { body, headers, ...rest } = built.request;
  return {
    ...rest,
    headers: Object.fromEntries(headers),
    body: body === null ? null : new TextDecoder().decode(body),
  };
}
