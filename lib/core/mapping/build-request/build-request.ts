import { hopsHeader, maxHops } from "#lib/core/api/http/hops.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import { buildBody } from "./build-body.ts";
import { buildHeaders } from "./build-headers.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { buildUrl } from "./build-url.ts";
import type { NotBuilt } from "./need.ts";
import { ProblemList } from "./problem-list.ts";

export type BuildResult = { readonly ok: true; readonly request: OutgoingRequest } | NotBuilt;

/**
 * Builds an action's request for a delivery. The preview and the worker share it, so the preview is
 * what is sent. Reports all errors, not only the first. Pure, so a retry would fail the same way.
 * `mapping_failed`: a name is missing or a template can't be rendered. `loop`: hooks call each
 * other endlessly. Other codes: the rendered request can't be sent.
 */
export function buildRequest(input: BuildRequestInput): BuildResult {
  const loop = findLoop(input.context);
  if (loop !== null) return loop;
  const problems = new ProblemList();
  // One budget for all templates of the request, so that many small ones can't evade it.
  const render = {
    context: input.context,
    nowMs: input.nowMs,
    budget: input.budget ?? new RenderBudget(),
  };
  const url = buildUrl(input, render, problems);
  const { headers, contentType } = buildHeaders(input, render, problems);
  const { forward } = input.request;
  const { raw } = input.context;
  const body = buildBody(input, contentType, render, problems);
  if (problems.first !== undefined || url === null) {
    return { ok: false, code: problems.first ?? "url_invalid", errors: problems.errors };
  }
  if (body !== null && body.contentType !== null && contentType === null)
    headers.push(["Content-Type", body.contentType]);
  headers.push(["Idempotency-Key", input.runId]);
  if (!headers.some(([name]) => name.toLowerCase() === "user-agent"))
    headers.push(["User-Agent", `Catchment/${input.version}`]);
  headers.push([hopsHeader, String(input.context.hops)]);
  const method = forward?.method === true ? raw.method : input.request.method;
  return { ok: true, request: { method, url, headers, body: body?.bytes ?? null } };
}

/** Null: the delivery hasn't passed through too many hooks. */
export function findLoop({ hops }: BuildRequestInput["context"]): NotBuilt | null {
  if (hops <= maxHops) return null;
  const errors = [{ at: `headers.${hopsHeader}`, message: loopMessage }];
  return { ok: false, code: "loop", errors };
}

const loopMessage = `This delivery has passed through ${maxHops} hooks, which looks like an endless loop`;
