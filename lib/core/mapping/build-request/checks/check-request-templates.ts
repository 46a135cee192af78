import { checkTemplate, listLiterals } from "#lib/core/mapping/template/compile-template.ts";
import { isSingleOutput } from "#lib/core/mapping/template/render-template.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { listTemplates } from "../list-templates.ts";
import { readAuthority, readTemplateOrigin } from "../template-origin.ts";

type RequestTemplateError = {
  /** The path in the action's request, as in errors of `buildRequest`. */
  readonly path: string;
  readonly code: "invalid_template";
  /** Counted from 1, in that template. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

type RequestTemplateCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly RequestTemplateError[] };

/**
 * Rejects a request on save if it can never be sent: invalid templates, or a URL whose host depends
 * on a template.
 */
export function checkRequestTemplates(request: ActionRequestTemplate): RequestTemplateCheck {
  const errors = listTemplates(request).flatMap(({ path, source }) => {
    const checked = checkTemplate(source);
    if (checked.ok) return [];
    const { line, column, message } = checked;
    return [{ path, code: "invalid_template" as const, line, column, message }];
  });
  if (!errors.some(({ path }) => path === "url")) errors.push(...checkUrlTemplate(request.url));
  return errors.length === 0 ? { ok: true } : { ok: false, errors };
}

function checkUrlTemplate(url: string): RequestTemplateError[] {
  if (isSingleOutput(url)) return [];
  const authority = readAuthority(url);
  if (authority === null)
    return [
      atUrl(url, 0, "the URL must start with https:// or http://, or be a single template {{ … }}"),
    ];
  const start = authority.scheme.length + 3;
  if (authority.text.includes("@"))
    return [atUrl(url, start, "a URL can't contain a username or password; use auth")];
  const template = authority.text.search(/\{[{%]/);
  if (template !== -1) {
    return [
      atUrl(
        url,
        start + template,
        "a template can't change the scheme, host, or port, unless the whole URL is one template",
      ),
    ];
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting them is the point
  if (/[\x00-\x20\x7f\\]/.test(authority.text) || readTemplateOrigin(url) === null) {
    return [atUrl(url, start, `"${authority.text}" is not a host`)];
  }
  return checkUrlLiterals(url);
}

/** Rejects what `buildRequest` would reject for every delivery. */
function checkUrlLiterals(url: string): RequestTemplateError[] {
  for (const { index, text } of listLiterals(url)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting them is the point
    const at = text.search(/[\x00-\x20\x7f\\#]/);
    if (at === -1) continue;
    const isFragment = text[at] === "#";
    const message = isFragment
      ? "a URL can't contain a fragment (#…), since it is never sent"
      : "a URL can't contain spaces, control characters, or backslashes";
    return [atUrl(url, index + at, message)];
  }
  return [];
}

function atUrl(url: string, index: number, message: string): RequestTemplateError {
  const before = url.slice(0, index).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { path: "url", code: "invalid_template", line: before.length, column, message };
}
