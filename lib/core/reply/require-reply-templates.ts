import { requireTemplates } from "#lib/core/build-request/action-rules.ts";
import type { HookReply, ReplyParts } from "#lib/schema/hook-reply.ts";

/** Throws `template_invalid`, with path, line, and column, if the reply could never be rendered. */
export function requireReplyTemplates(reply: HookReply): void {
  const onFailure = reply.onFailure === null ? [] : listIn(reply.onFailure, "reply.onFailure");
  requireTemplates([...listIn(reply, "reply"), ...onFailure]);
}

function listIn({ status, headers, body }: ReplyParts, at: string) {
  return [
    ...Object.entries(headers).map(([name, source]) => ({ path: `${at}.headers.${name}`, source })),
    { path: `${at}.status`, source: String(status) },
    { path: `${at}.body`, source: body },
  ];
}
