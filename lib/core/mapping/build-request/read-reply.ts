import type { BuiltReply } from "#lib/core/mapping/build-request/need.ts";
import { maxReplyBytes, readReplyStatus } from "#lib/schema/receive/hook-reply.ts";

/** A reply to a provider, ready to be written. */
type RenderedReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Checks the rendered templates of a reply, or explains why it can't be written. */
export function readReply({
  status: text,
  headers,
  body,
}: BuiltReply):
  | { readonly ok: true; readonly reply: RenderedReply }
  | { readonly ok: false; readonly problem: string } {
  const status = readReplyStatus(text);
  if (status === undefined) {
    const problem = `status: "${text.slice(0, 80)}" is not a status from 200 to 299 or 400 to 599`;
    return { ok: false, problem };
  }
  if (body.byteLength > maxReplyBytes)
    return { ok: false, problem: `body: it has more than ${maxReplyBytes} bytes` };
  const shown = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const hasBody = status !== 204 && status !== 205;
  const reply = { status, headers: Object.fromEntries(shown), body: hasBody ? toText(body) : "" };
  return { ok: true, reply };
}

/** Decodes UTF-8 and replaces NUL, which PostgreSQL's text can't store. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\u{fffd}");
}
