import { readJsonField } from "#components/ui/form/read-json-field.ts";
import { toCurlCommand } from "#lib/core/api/http/curl-command.ts";
import { type CommandRejection, checkFields, reject } from "#lib/schema/field/command-result.ts";

export type EventDraft = {
  readonly type: string;
  /** Empty: none. */
  readonly recipient: string;
  /** The data as JSON. */
  readonly data: string;
};

type WrittenBody = { readonly ok: true; readonly body: string } | CommandRejection;

/** The body of `POST /events`, with the data exactly as it is typed. */
export function writeEventBody({ type, recipient, data }: EventDraft): WrittenBody {
  const read = readJsonField("data", data);
  if (!read.ok) return reject(checkFields, read.errors);
  const to = recipient.trim();
  const fields = [
    `"type": ${JSON.stringify(type.trim())}`,
    ...(to === "" ? [] : [`"recipient": ${JSON.stringify(to)}`]),
    `"data": ${data.trim()}`,
  ];
  return { ok: true, body: `{${fields.join(", ")}}` };
}

/** The text that a token replaces in a command. */
const tokenPlaceholder = "YOUR_API_TOKEN";

/** A shell command that publishes the event. Null: a command line can't hold it. */
export function toPublishCommand(
  publishUrl: string,
  draft: EventDraft,
  token: string | undefined,
): string | null {
  const written = writeEventBody(draft);
  if (!written.ok) return null;
  return toCurlCommand({
    url: publishUrl,
    method: "POST",
    headers: [
      ["authorization", `Bearer ${token ?? tokenPlaceholder}`],
      ["content-type", "application/json"],
    ],
    body: written.body,
  });
}
