import { shorten } from "#lib/base/shorten.ts";
import { isTemplate } from "#lib/core/mapping/template/compile-template.ts";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { valueToText } from "#lib/core/mapping/template/value-to-text.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { listTemplates } from "./list-templates.ts";

/** The value of one field, for the editor. `path` is as in errors of `buildRequest`. */
export type ResolvedTemplate = { readonly path: string; readonly text: string };

/**
 * The value of each template for one delivery, before encoding. Skips templates without a value, or
 * after the budget of the request is used up. The errors say why.
 */
export function resolveTemplates(
  request: ActionRequestTemplate,
  { context, nowMs, budget = new RenderBudget() }: ResolveInput,
): readonly ResolvedTemplate[] {
  return listTemplates(request)
    .filter(({ source }) => isTemplate(source))
    .slice(0, maxResolved)
    .flatMap(({ path, source }) => {
      const rendered = renderString(source, { context, nowMs, budget });
      return rendered.ok ? [{ path, text: toShown(rendered.value) }] : [];
    });
}

type ResolveInput = {
  readonly context: MappingContext;
  readonly nowMs: number;
  readonly budget?: RenderBudget;
};

/** More than any form needs. */
const maxResolved = 200;
const maxShownChars = 300;

function toShown(value: unknown): string {
  const text = typeof value === "string" ? value : toText(value);
  return shorten(text, maxShownChars);
}

/** Writes lists and objects as JSON. Throws if the text is far too long. */
function toText(value: unknown): string {
  try {
    return value === null ? "null" : valueToText(value);
  } catch {
    return "…";
  }
}
