import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { toRunId } from "#lib/db/queue/lease-runs.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { FrameReader, runsKind } from "./frames.ts";
import { readRunsFrame, toRunsFrame } from "./runs-frame.ts";

const hook = { id: newId(), accountId: newId() };
const [actionA, actionB] = [newId(), newId()];

const deliveries = [
  newDelivery(hook, {
    path: "/é/日本",
    query: "a=b",
    headersJson: '[["content-type","text/plain"],["x","😀"]]',
    contentType: "text/plain",
    eventId: "evt \ud83d\ude00 \ud800",
    eventType: null,
    body: Buffer.from([0, 255, 10, 13]),
    receivedAtMs: 4_102_444_800_123,
  }),
  newDelivery(hook, { isSample: true, body: Buffer.alloc(0), eventType: "paid" }),
];

const runs = deliveries.flatMap((delivery) =>
  [actionA, actionB].map((targetId, ordinal) => ({
    id: toRunId(delivery.id, ordinal),
    delivery,
    targetId,
    targetVersion: `7.${ordinal}`,
  })),
);

/** A frame, delivered in parts of this size. */
function deliver(frame: Buffer, size: number) {
  const reader = new FrameReader();
  const parts = Array.from({ length: Math.ceil(frame.length / size) }, (_, at) =>
    frame.subarray(at * size, (at + 1) * size),
  );
  return parts.flatMap((part) => reader.read(part));
}

it.each([1, 7, 1_000_000])("runs arrive as a claim returns them, in parts of %d bytes", (size) => {
  const frame = toRunsFrame("the lease", runs);
  const frames = deliver(Buffer.concat([frame, frame]), size);
  expect(frames.map(({ kind }) => kind)).toEqual([runsKind, runsKind]);
  for (const { bytes } of frames) {
    const read = readRunsFrame(bytes);
    expect(read).toHaveLength(4);
    for (const [at, run] of read.entries()) {
      const { delivery, targetId, targetVersion, id } = runs[at] ?? {};
      expect(run).toMatchObject({
        id,
        targetId,
        targetVersion,
        leaseId: "the lease",
        attemptNumber: 1,
      });
      expect(run).toMatchObject({ hookId: hook.id, accountId: hook.accountId, isHandedOver: true });
      expect(run.bodySize).toBe(delivery?.body.byteLength);
      expect(run.delivery).toEqual({
        id: delivery?.id,
        receivedAtMs: delivery?.receivedAtMs,
        method: "POST",
        path: delivery?.path,
        query: delivery?.query,
        headersJson: delivery?.headersJson,
        contentType: delivery?.contentType,
        // PostgreSQL's driver writes it like this.
        eventId: delivery?.eventId?.toWellFormed() ?? null,
        eventType: delivery?.eventType,
        isSample: delivery?.isSample,
        body: delivery?.body,
      });
    }
    expect(read[0]?.delivery).toBe(read[1]?.delivery);
  }
});

it("something else on the socket is rejected before it takes memory", () => {
  expect(() => new FrameReader().read(Buffer.from("GET / HTTP/1.1\r\n"))).toThrow("A frame of");
});
