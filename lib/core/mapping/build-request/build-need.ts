import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import type { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import { type RenderInput, renderText } from "#lib/core/mapping/template/render-template.ts";
import { renderValue, writeValue } from "#lib/core/mapping/template/render-value.ts";
import { buildTextBody } from "./build-body.ts";
import { buildHeaders } from "./build-headers.ts";
import { buildRequest, findLoop } from "./build-request.ts";
import type { Built, Need } from "./need.ts";
import { ProblemList } from "./problem-list.ts";

type Rendering = {
  readonly context: MappingContext;
  readonly nowMs: number;
  readonly budget: RenderBudget;
};

type NeedOf<Kind extends Need["kind"]> = Extract<Need, { kind: Kind }>;

/**
 * Makes a request, a value, or a reply within the limits of a request. Reports all errors, not only
 * the first.
 */
export function buildNeed(need: Need, rendering: Rendering): Built<Need> {
  switch (need.kind) {
    case "request": {
      const built = buildRequest({ ...need, ...rendering });
      return built.ok ? { ok: true, made: built.request } : built;
    }
    case "value":
      return findLoop(rendering.context) ?? buildValue(need, rendering);
    case "reply":
      return findLoop(rendering.context) ?? buildReply(need, rendering);
    case "nothing":
      return findLoop(rendering.context) ?? { ok: true, made: null };
    default:
      return need satisfies never;
  }
}

function buildValue({ value, at }: NeedOf<"value">, render: RenderInput): Built<Need> {
  const problems = new ProblemList();
  const rendered = renderValue(value, at, render, (place, failure) =>
    problems.addFailure("mapping_failed", place, failure),
  );
  if (problems.first !== undefined) return notBuilt(problems);
  const written = writeValue(rendered, render);
  if (written.ok) return { ok: true, made: written.text };
  problems.add("body_invalid", at, [written.message]);
  return notBuilt(problems);
}

function buildReply({ parts }: NeedOf<"reply">, rendering: Rendering): Built<Need> {
  const problems = new ProblemList();
  const status = renderText(String(parts.status), "text", rendering);
  if (!status.ok) problems.addFailure("mapping_failed", "status", status);
  const request = { headers: parts.headers, forward: null };
  const input = { request, auth: null, context: rendering.context };
  const { headers, contentType } = buildHeaders(input, rendering, problems);
  const body = buildTextBody(parts.body, "body", contentType, rendering, problems);
  if (problems.first !== undefined || !status.ok || body === null) return notBuilt(problems);
  if (contentType === null) headers.push(["Content-Type", body.contentType ?? ""]);
  return { ok: true, made: { status: status.text.trim(), headers, body: body.bytes } };
}

function notBuilt({ first = "mapping_failed", errors }: ProblemList): Built<Need> {
  return { ok: false, code: first, errors };
}
