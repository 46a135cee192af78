import { requireTemplates } from "#lib/core/build-request/action-rules.ts";
import { listTemplates } from "#lib/core/build-request/list-templates.ts";
import type { AnswerParts, HookAnswer } from "#lib/schema/hook-answer.ts";
import { toAnswerRequest } from "./answer-request.ts";

/** Throws `template_invalid`, with path, line, and column, if the answer could never be rendered. */
export function requireAnswerTemplates(answer: HookAnswer): void {
  const onFailure = answer.onFailure === null ? [] : listIn(answer.onFailure, "answer.onFailure");
  requireTemplates([...listIn(answer, "answer"), ...onFailure]);
}

function listIn(parts: AnswerParts, at: string): { path: string; source: string }[] {
  return listTemplates(toAnswerRequest(parts)).flatMap(({ place, path, source }) => {
    if (place === "url") return [];
    return [{ path: `${at}.${names[path] ?? path}`, source }];
  });
}

const names: Readonly<Record<string, string>> = { "query.status": "status", bodyText: "body" };
