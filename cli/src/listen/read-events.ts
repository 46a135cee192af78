import { createParser } from "eventsource-parser";
import type { Frame } from "../../../clients/typescript/src/index.ts";

export type Status = {
  /** Deliveries that were stored and aren't acknowledged. */
  readonly lag: number;
  readonly caughtUp: boolean;
};

export type ServerEvent =
  | { readonly kind: "delivery"; readonly frame: Frame }
  | { readonly kind: "status"; readonly status: Status }
  /** `retryAfter` in seconds. Null: don't come back. */
  | { readonly kind: "goodbye"; readonly reason: string; readonly retryAfter: number | null };

/** The events of a stream, as they arrive. Those of a newer server that this doesn't know are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let arrived: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const read = toEvent(event, data);
      if (read !== null) arrived.push(read);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const events = arrived;
    arrived = [];
    yield* events;
  }
}

function toEvent(event: string | undefined, data: string): ServerEvent | null {
  if (event === "delivery") return { kind: event, frame: JSON.parse(data) };
  if (event === "status") return { kind: event, status: JSON.parse(data) };
  if (event === "goodbye") return { kind: event, ...JSON.parse(data) };
  return null;
}
