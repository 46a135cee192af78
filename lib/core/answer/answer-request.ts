import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import { type AnswerParts, maxAnswerBytes, readAnswerStatus } from "#lib/schema/hook-answer.ts";

/** An answer to a provider, ready to be written. */
export type RenderedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * An answer as a request that is never sent: its templates are rendered by the same code and within
 * the same limits as those of calls.
 */
export function toAnswerRequest({ status, headers, body }: AnswerParts): ActionRequestTemplate {
  return {
    method: "POST",
    url: "https://answer.invalid/",
    headers,
    query: { [statusName]: String(status) },
    body: null,
    bodyText: body,
    forward: null,
  };
}

const statusName = "status";

/** Turns a rendered request of `toAnswerRequest` back into an answer, or explains why it can't. */
export function readAnswer(
  { url, headers, body }: OutgoingRequest,
  names: AnswerParts["headers"],
):
  | { readonly ok: true; readonly answer: RenderedAnswer }
  | { readonly ok: false; problem: string } {
  const text = new URL(url).searchParams.get(statusName)?.trim() ?? "";
  const status = readAnswerStatus(text);
  if (status === undefined) {
    const problem = `status: "${text.slice(0, 80)}" is not a status from 200 to 299 or 400 to 599`;
    return { ok: false, problem };
  }
  if ((body?.byteLength ?? 0) > maxAnswerBytes)
    return { ok: false, problem: `body: it has more than ${maxAnswerBytes} bytes` };
  const own = new Set([...Object.keys(names), "content-type"].map((name) => name.toLowerCase()));
  const shown = headers.flatMap(([name, value]) =>
    own.has(name.toLowerCase()) ? [[name.toLowerCase(), value] as const] : [],
  );
  const hasBody = status !== 204 && status !== 205 && body !== null;
  const answer = { status, headers: Object.fromEntries(shown), body: hasBody ? toText(body) : "" };
  return { ok: true, answer };
}

/** Decodes UTF-8 and replaces NUL, which PostgreSQL's text can't store. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\u{fffd}");
}
