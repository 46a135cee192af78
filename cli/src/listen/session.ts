import { CatchmentError, toError } from "../../../clients/typescript/src/errors.ts";
import type { Frame, NewListener } from "../../../clients/typescript/src/index.ts";
import type { Connection } from "../account/connect.ts";
import { Exit } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { readEvents, type ServerEvent, type Status } from "./read-events.ts";

/** The connection of this program as a listener. */
export type Session = Pick<NewListener, "id" | "connectionId">;

/** The first event shows that nothing on the way holds the stream back. */
const firstEventMs = 10_000;
/** The server says something every 15 s. */
const silenceMs = 40_000;
const pollSeconds = 25;

/** A proxy holds the stream back until it ends, which it never does. */
export class HeldBack extends Error {}

/** The events of the server, as a stream. Ends if the stream does. Throws `HeldBack`. */
export async function* streamEvents(
  { url, token, fetch }: Connection,
  { id, connectionId }: Session,
  cursor: string | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  const end = AbortSignal.any([signal, silence.signal]);
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;
  const expect = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(hasBegun ? new Error("silent") : new HeldBack()), ms);
  };
  const after = cursor === null ? "" : `&cursor=${cursor}`;
  const request = new Request(
    `${url}/api/v1/listeners/${id}/stream?connection=${connectionId}${after}`,
    { headers: { accept: "text/event-stream", authorization: `Bearer ${token}` }, signal: end },
  );
  try {
    expect(firstEventMs);
    const response = await fetch(request);
    if (!response.ok) throw await toError(response);
    if (response.body === null) return;
    for await (const event of readEvents(response.body)) {
      hasBegun = true;
      expect(silenceMs);
      yield event;
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw silence.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** The same by asking again and again, behind what holds streams back. */
export async function* pollEvents(
  { client }: Connection,
  { id, connectionId: connection }: Session,
  from: string | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let cursor = from;
  let waitSeconds = 0;
  while (!signal.aborted) {
    const more = cursor === null ? {} : { cursor };
    const page = await client.pollDeliveries(
      { id, connection, wait: waitSeconds, ...more },
      { signal },
    );
    for (const frame of page.data) yield { kind: "delivery", frame };
    cursor = page.nextCursor ?? cursor;
    // The response has it beside its page.
    yield { kind: "status", status: (page as typeof page & { readonly status: Status }).status };
    waitSeconds = pollSeconds;
  }
}

/** The bytes of a delivery's body. */
export async function readBody({ client }: Connection, frame: Frame): Promise<Uint8Array> {
  if (frame.bodyBase64 !== null) return Buffer.from(frame.bodyBase64, "base64");
  const { body, bodyEncoding } = await client.getDelivery({ id: frame.deliveryId });
  return Buffer.from(String(body ?? ""), bodyEncoding === "base64" ? "base64" : "utf8");
}

/** Reasons that no new connection changes, with what to do. */
const ends: Readonly<Record<string, () => Exit>> = {
  unauthenticated: () =>
    new Exit("notAllowed", `Your token was revoked or has expired. Run: ${invocation} login`),
  forbidden: () => new Exit("notAllowed", "You may no longer listen in this account."),
  account_deleted: () => new Exit("notFound", "The account was deleted."),
  hooks_deleted: () => new Exit("notFound", "The hooks were deleted."),
  listener_deleted: () => new Exit("notFound", "Someone deleted this listener."),
  disconnected: () => new Exit("busy", "Someone disconnected this listener in the dashboard."),
  replaced: () => new Exit("busy", "Another program took over this connection."),
};

/** The end that a goodbye means. Null: come back. */
export function toExit(reason: string): Exit | null {
  return ends[reason]?.() ?? null;
}

/** The next step after an error of the API: end with it, connect as a new program, or try again. */
export function nextStep(error: unknown): "end" | "open" | "again" {
  if (error instanceof Exit) return "end";
  if (!(error instanceof CatchmentError)) return "again";
  if (error.status === 401 || error.status === 403) return "end";
  if (error.status === 404) return "open";
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  return isTemporary || error.status === 409 ? "again" : "end";
}
