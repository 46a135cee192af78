import { setTimeout as delay } from "node:timers/promises";
import { takeReaderSlot } from "#lib/web/listeners/reader-slots.ts";
import { streamHeaders } from "#lib/web/listeners/stream-frames.ts";

/** Most calls are done by then. */
const promptMs = 1_000;

/**
 * The response, or the beginning of one whose body comes later: a call that waits holds no slot of the web process.
 * Its status is known, because what is rejected is rejected at once. Throws `rate_limited` if too many wait.
 */
export async function respondLate(
  responding: Promise<Response>,
  accountId: string,
): Promise<Response> {
  const first = await Promise.race([responding, delay(promptMs, null, { ref: false })]);
  if (first !== null && !isStream(first)) return withHeaders(first, privateHeaders);
  const giveBack = takeReaderSlot(accountId);
  if (first !== null)
    return withHeaders(first, streamHeaders, first.body?.pipeThrough(atEnd(giveBack)));
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      try {
        controller.enqueue(new Uint8Array(await (await responding).arrayBuffer()));
        controller.close();
      } catch (error) {
        controller.error(error);
      } finally {
        giveBack();
      }
    },
  });
  const headers = { "content-type": "application/json", ...streamHeaders };
  return new Response(body, { headers });
}

/** Clients of the protocol's earlier versions get their response as an event stream. */
function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

const privateHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function withHeaders(
  response: Response,
  added: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array> | null | undefined = response.body,
): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(body, { status: response.status, headers });
}

function atEnd(done: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ flush: done, cancel: done } as Transformer<Uint8Array, Uint8Array>);
}
