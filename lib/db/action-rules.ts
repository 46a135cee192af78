import type { AllowList } from "#lib/core/address/allow-list.ts";
import { checkUrl } from "#lib/core/address/check-url.ts";
import { checkRequestTemplates } from "#lib/core/build-request/check-request-templates.ts";
import { readTemplateOrigin } from "#lib/core/build-request/template-origin.ts";
import { isTemplate } from "#lib/core/template/compile-template.ts";
import { AppError, type FieldError } from "#lib/errors.ts";
import { type ActionRequestTemplate, actionInputSchema, type RequestAuth } from "#lib/schema/action.ts";

const requestSchema = actionInputSchema.shape.request;

/** Throws `template_invalid` (with path, line and column) or `invalid_request` for what could never be sent. */
export function requireSendable(request: ActionRequestTemplate, allowList: AllowList): void {
  const checked = checkRequestTemplates(request);
  if (!checked.ok) {
    const errors = checked.errors.map((error) => ({ ...error, path: `request.${error.path}` }));
    throw new AppError("template_invalid", describeFirst(errors), { errors });
  }
  requireCallable(request.url, allowList);
}

/** As far as it is known before a delivery: the whole URL where no template is in it, else the origin that it is fixed to. */
function requireCallable(url: string, allowList: AllowList): void {
  const origin = readTemplateOrigin(url);
  const text = isTemplate(url) ? origin : url;
  if (text === null) return;
  const checked = checkUrl(text, allowList);
  if (!checked.ok) throw refuse("request.url", checked.message);
}

/**
 * The credentials that a changed request keeps. They were entered for one origin: sent to another they would be given away, so a new
 * origin needs them anew. The rules between credentials and the rest of the request hold for kept ones too.
 */
export function requireKeptAuth(
  before: ActionRequestTemplate,
  after: ActionRequestTemplate,
  auth: RequestAuth,
): void {
  const origin = readTemplateOrigin(before.url);
  if (origin === null || origin !== readTemplateOrigin(after.url)) {
    throw refuse(
      "request.auth",
      "must be entered again, or be null: the stored credentials are for another origin",
    );
  }
  const parsed = requestSchema.safeParse({ ...after, auth });
  const issue = parsed.error?.issues[0];
  if (issue !== undefined) throw refuse(`request.${issue.path.join(".")}`, issue.message);
}

function refuse(path: string, message: string): AppError {
  const errors = [{ path, message }];
  return new AppError("invalid_request", describeFirst(errors), { errors });
}

function describeFirst(errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined) return "The request is not valid.";
  const { path, message } = first;
  return message.endsWith(".") ? `${path}: ${message}` : `${path}: ${message}.`;
}
