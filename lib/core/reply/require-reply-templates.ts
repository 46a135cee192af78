import { requireTemplates } from "#lib/core/build-request/action-rules.ts";
import type { HookReply, ReplyParts } from "#lib/schema/hook-reply.ts";

/** Throws `template_invalid`, with path, line, and column, if the answer could never be rendered. */
export function requireReplyTemplates(answer: HookReply): void {
  const onFailure = answer.onFailure === null ? [] : listIn(answer.onFailure, "answer.onFailure");
  requireTemplates([...listIn(answer, "answer"), ...onFailure]);
}

function listIn({ status, headers, body }: ReplyParts, at: string) {
  return [
    ...Object.entries(headers).map(([name, source]) => ({ path: `${at}.headers.${name}`, source })),
    { path: `${at}.status`, source: String(status) },
    { path: `${at}.body`, source: body },
  ];
}
