import { readEventVersion } from "#lib/core/sending/read-published-event.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import type { RunWithAttempts } from "#lib/services/runs.ts";

/** More than what comes before the data of an event. */
const headChars = 1_000;

/**
 * The version in which a send went out, by its newest request. Null: none was made, or the event is
 * of a type without versions.
 */
export function readSentVersion({ attempts }: RunWithAttempts, event: Uint8Array): string | null {
  const sent = attempts.findLast(({ requestJson }) => requestJson !== null)?.requestJson;
  const { body: sentBody } = Object(JSON.parse(sent ?? "null")) as { readonly body?: unknown };
  const body = typeof sentBody === "string" ? unwrap(sentBody) : "";
  // Callbacks of AI assistants get another shape, and so do many receivers with a transform.
  if (!eventHead.test(body)) return null;
  const version = readEventVersion(Buffer.from(body.slice(0, headChars)));
  const hasVersions = version !== firstVersion || readEventVersion(event) !== firstVersion;
  return hasVersions ? version : null;
}

/** The first names of an event, which may be cut. */
const eventHead = /^\{"id":"[^"]*(?:$|","type":"[^"]*(?:$|","timestamp":"))/;

/** The start of an event that AWS gets as text in JSON, which may be cut. Others are as they are. */
function unwrap(body: string): string {
  const inner = awsBody.exec(body)?.[1];
  return inner === undefined ? body : (JSON.parse(`"${inner}"`) as string);
}

const awsBody =
  /^\{"(?:QueueUrl|Entries)".*?"(?:MessageBody|Detail)":"((?:[^"\\]|\\u[\da-f]{4}|\\[^u]){0,1000})/s;
