import { AppError, invalidField } from "#lib/base/errors.ts";
import { findWrongType } from "#lib/core/mapping/encode/check-body-type.ts";
import { checkTemplate, isTemplate } from "#lib/core/mapping/template/compile-template.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { checkUrl, toFieldCode } from "#lib/core/sending/address/check-url.ts";
import { type ActionRequestTemplate, requestSchema } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { codeOfRule, type FieldError } from "#lib/schema/field/command-result.ts";
import { readTemplateOrigin } from "../template-origin.ts";
import { checkRequestTemplates } from "./check-request-templates.ts";
import { findCredentials } from "./find-credentials.ts";

/**
 * Throws `template_invalid` (with path, line, and column) or `invalid_request` if the request could
 * never be sent.
 */
export function requireSendable(
  request: ActionRequestTemplate,
  allowList: AllowList,
  at = "request",
): void {
  const checked = checkRequestTemplates(request);
  if (!checked.ok) throw invalidTemplates(checked.errors, at);
  requireCallable(request.url, allowList, at);
  requireNoCredentials(request, at);
  requireStoredHeaders(request, at);
  const wrong = findWrongType(request);
  if (wrong !== null) throw invalidField(`${at}.${wrong.path}`, wrong.message, wrong.code);
}

/** Not in the schema: actions from before deliveries stopped storing it must stay readable. */
function requireStoredHeaders({ forward }: ActionRequestTemplate, at: string): void {
  if (forward === null || forward.headers === "all") return;
  const index = forward.headers.indexOf("x-api-key");
  if (index === -1) return;
  const path = `${at}.forward.headers.${index}`;
  throw invalidField(
    path,
    "can't be forwarded, because deliveries are stored without it. Use auth for the receiver's own key",
    "not_allowed",
  );
}

/** Throws `template_invalid` for templates that aren't part of a request. */
export function requireTemplates(
  texts: readonly { readonly path: string; readonly source: string }[],
): void {
  const errors = texts.flatMap(({ path, source }) => {
    const checked = checkTemplate(source);
    if (checked.ok) return [];
    const { line, column, message } = checked;
    return [{ path, code: "invalid_template" as const, line, column, message }];
  });
  if (errors.length > 0) throw invalidTemplates(errors);
}

function invalidTemplates(found: readonly FieldError[], at?: string): AppError {
  const errors = at === undefined ? found : found.map((error) => within(at, error));
  return new AppError("template_invalid", describeFirst(errors), { errors });
}

function within(at: string, error: FieldError): FieldError {
  return { ...error, path: `${at}.${error.path}` };
}

/**
 * Rejects credentials in the request itself. Existing actions keep running. Editing one's request
 * requires moving them.
 */
function requireNoCredentials(request: ActionRequestTemplate, at: string): void {
  const errors = findCredentials(request).map((found) => within(at, found));
  if (errors.length > 0) throw new AppError("invalid_request", describeFirst(errors), { errors });
}

/**
 * Checks what is known before a delivery: the whole URL if it has no template, otherwise its fixed
 * origin.
 */
function requireCallable(url: string, allowList: AllowList, at: string): void {
  const origin = readTemplateOrigin(url);
  const text = isTemplate(url) ? origin : url;
  if (text === null) return;
  const checked = checkUrl(text, allowList);
  if (!checked.ok) throw invalidField(`${at}.url`, checked.message, toFieldCode(checked.code));
}

/**
 * Returns the credentials that a changed request may keep. They were entered for one origin, so a
 * new origin requires entering them again. The rules between credentials and the rest of the
 * request apply to kept ones too.
 */
export function requireReusableAuth(
  before: ActionRequestTemplate,
  after: ActionRequestTemplate,
  auth: RequestAuth,
  at = "request",
): void {
  const origin = readTemplateOrigin(before.url);
  if (origin === null || origin !== readTemplateOrigin(after.url)) {
    throw invalidField(
      `${at}.auth`,
      "must be entered again or set to null: the stored credentials are for another origin",
      "required",
    );
  }
  const parsed = requestSchema.safeParse({ ...after, auth });
  const issue = parsed.error?.issues[0];
  if (issue === undefined) return;
  const { code, ...details } = codeOfRule(issue.code === "custom" ? issue.params : {});
  throw invalidField(`${at}.${issue.path.join(".")}`, issue.message, code, details);
}

function describeFirst(errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined) return "The request is invalid.";
  const { path, message } = first;
  return message.endsWith(".") ? `${path}: ${message}` : `${path}: ${message}.`;
}
