import { z } from "zod";
import { isCredentialHeader, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { hideSealedValues } from "#lib/core/people/redact/sealed-value.ts";
import { writeCursor } from "#lib/schema/receive/listener.ts";
import type { OpenedListener } from "#lib/services/listeners/open-listener.ts";
import type { FrameRecord } from "#lib/services/listeners/read-frames.ts";
import type { ListenerState } from "#lib/services/listeners/read-listeners.ts";
import { view } from "#lib/web/route/view.ts";

const maxCountedLag = 10_000;

const listenerSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe("Null: it ends with its connection"),
    owner: z.string().describe("The person it belongs to, or the token without one"),
    hookIds: z.array(z.string()).readonly().describe("Empty: all hooks"),
    filter: z.object({
      eventTypes: z.array(z.string()).readonly().describe("Empty: all types"),
    }),
    lag: z.int().describe("Accepted deliveries that it hasn't acknowledged. Counted up to 10,000"),
    connections: z
      .array(
        z.object({
          id: z.string(),
          host: z.string(),
          isShared: z.boolean(),
          replies: z.boolean().describe("What it responds is what providers get"),
          connectedAt: z.date(),
        }),
      )
      .readonly()
      .describe("The programs that are connected now"),
    createdAt: z.date(),
    seenAt: z.date().describe("When a program was last connected"),
  })
  .meta({ id: "Listener" });

const openedSchema = listenerSchema
  .extend({ connectionId: z.string().describe("The connection of this program") })
  .meta({ id: "NewListener" });

export const listenerView = view(listenerSchema, showListener);

export const openedListenerView = view(openedSchema, (opened: OpenedListener) => ({
  ...showListener(opened),
  connectionId: opened.connectionId,
}));

function showListener(state: ListenerState) {
  const { id, name, ownerName, hookIds, eventTypes, connections, createdAt, seenAt } = state;
  const lag = countLag(state);
  return {
    ...{ id, name, owner: ownerName, hookIds, filter: { eventTypes }, lag },
    ...{ connections, createdAt, seenAt },
  };
}

/** The accepted deliveries that a listener hasn't acknowledged. */
export function countLag({ backlog }: Pick<ListenerState, "backlog">): number {
  return Math.min(backlog.waiting + backlog.unacknowledged, maxCountedLag);
}

export const frameSchema = z
  .object({
    cursor: z.string(),
    deliveryId: z.string(),
    hookId: z.string(),
    eventType: z.string().nullable(),
    receivedAt: z.date(),
    method: z.string(),
    path: z.string().describe("What follows the catch URL, with the query. Without secrets"),
    headers: z
      .array(z.tuple([z.string(), z.string()]).readonly())
      .readonly()
      .describe(
        "In the order and letter case received. Credentials are redacted, signatures aren't",
      ),
    bodyBytes: z.int(),
    bodyBase64: z.string().nullable().describe("Null: it is larger than 256 KiB"),
    bodyUrl: z
      .string()
      .nullable()
      .describe("The call that returns a larger body, as `body` and `bodyEncoding`"),
  })
  .meta({ id: "Frame" });

export const framesSchema = z.object({
  data: z.array(frameSchema),
  nextCursor: z.string().nullable().describe("The cursor of the next call. Null: none came"),
  status: z.object({
    lag: z.int().describe("Stored, and not acknowledged"),
    caughtUp: z.boolean().describe("None waits to be handed over"),
    headCursor: z.string().describe("The number of the newest one's cursor"),
  }),
});

export const acknowledgedView = view(
  z.object({
    acknowledged: z.int(),
    unknown: z
      .array(z.string())
      .readonly()
      .describe("Cursors that weren't open: acknowledged before, or handed over again"),
  }),
  (done: { readonly acknowledged: number; readonly unknown: readonly string[] }) => done,
);

export const handedOverView = view(
  z.object({ count: z.int() }),
  (done: { readonly count: number }) => done,
);

export function showFrame(frame: FrameRecord): z.output<typeof frameSchema> {
  const { cursor, deliveryId, hookId, eventType, receivedAt, method, bodyBytes, body } = frame;
  const query = frame.query === "" ? "" : `?${frame.query}`;
  const pairs = JSON.parse(hideSealedValues(frame.headersJson)) as [string, string][];
  return {
    cursor: writeCursor(cursor, deliveryId),
    ...{ deliveryId, hookId, eventType, receivedAt, method },
    path: redactUrl(hideSealedValues(frame.path + query), []),
    headers: pairs.map(([name, value]) => [name, isCredentialHeader(name) ? redactionMark : value]),
    bodyBytes,
    bodyBase64: body === null ? null : Buffer.from(body).toString("base64"),
    bodyUrl: body === null ? `/api/v1/deliveries/${deliveryId}` : null,
  };
}
