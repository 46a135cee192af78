import { hopsHeader, maxHops } from "#lib/core/hops.ts";
import type { OutgoingRequest } from "#lib/core/http-types.ts";
import { RenderBudget } from "#lib/core/template/render-budget.ts";
import { buildBody } from "./build-body.ts";
import { buildHeaders } from "./build-headers.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { buildUrl } from "./build-url.ts";
import { type BuildError, type BuildRequestCode, ProblemList } from "./problem-list.ts";

export type BuildResult =
  | { readonly ok: true; readonly request: OutgoingRequest }
  | { readonly ok: false; readonly code: BuildRequestCode; readonly errors: readonly BuildError[] };

/**
 * The request that an action makes of a delivery: what the preview shows is what the worker sends, because both call this.
 * A failure names everything that is wrong, not only the first; it depends on nothing but the input, so a retry would fail the same way.
 * `mapping_failed`: a name is not in the delivery or a template can't be rendered; `loop`: hooks call hooks without an end; the other
 * codes: what was rendered can't be sent.
 */
export function buildRequest(input: BuildRequestInput): BuildResult {
  const { hops } = input.context;
  if (hops > maxHops)
    return { ok: false, code: "loop", errors: [{ at: `headers.${hopsHeader}`, message: loopMessage }] };
  const problems = new ProblemList();
  // One budget for all templates of the request: a thousand small ones are no way around it.
  const render = { context: input.context, nowMs: input.nowMs, budget: new RenderBudget() };
  const url = buildUrl(input, render, problems);
  const { headers, contentType } = buildHeaders(input, render, problems);
  const body = buildBody(input.request, contentType, render, problems);
  if (problems.first !== undefined || url === null) {
    return { ok: false, code: problems.first ?? "url_invalid", errors: problems.errors };
  }
  if (body !== null && contentType === null) headers.push(["Content-Type", body.contentType]);
  headers.push(
    ["Idempotency-Key", input.runId],
    ["User-Agent", `Catchment/${input.version}`],
    [hopsHeader, String(hops)],
  );
  return { ok: true, request: { method: input.request.method, url, headers, body: body?.bytes ?? null } };
}

const loopMessage = `This delivery has gone through ${maxHops} hooks already; another call could go on for ever`;
