import { expect, it } from "vitest";
import { toEventBody } from "#lib/core/sending/read-published-event.ts";
import { toEventBusRequest } from "#lib/core/sending/receivers/to-event-bus-request.ts";
import { toQueueRequest } from "#lib/core/sending/receivers/to-queue-message.ts";
import type { RunWithAttempts } from "#lib/services/runs.ts";
import { readSentVersion } from "./sent-version.ts";

const bodyOf = (version: string | null) =>
  toEventBody("e1", 0, { type: "a.b", version, dataJson: '{"version":"1999-01-01"}' });
const text = (body: Uint8Array | null) => Buffer.from(body ?? []).toString();
const queue = { queueUrl: "https://sqs.example/1/a", attributes: [], runId: "1", group: "1" };
const inQueue = (body: string) =>
  text(toQueueRequest({ ...queue, body: Buffer.from(body), version: "1" }).body);
const settings = { type: "eventbridge", eventBus: "a", source: "b" } as const;
function onBus(body: string): string {
  const given = { endpoint: "https://events.example", eventType: "a.b", settings, version: "1" };
  const built = toEventBusRequest({ ...given, body: Buffer.from(body) });
  if (!built.ok) throw new Error(built.message);
  return text(built.request.body);
}
const sent = (...bodies: (string | null)[]) =>
  ({
    attempts: bodies.map((body) => ({
      requestJson: body === null ? null : JSON.stringify({ method: "POST", body }),
    })),
  }) as unknown as RunWithAttempts;

it.each<[string, RunWithAttempts, string | null, string | null]>([
  ["nothing was sent", sent(null), "2026-02-01", null],
  ["a type without versions", sent(bodyOf(null)), null, null],
  ["the version of the event", sent(bodyOf("2026-02-01")), "2026-02-01", "2026-02-01"],
  ["an earlier one", sent(bodyOf("2026-01-01")), "2026-02-01", "2026-01-01"],
  ["the first", sent(bodyOf("2026-01-01"), bodyOf("first"), null), "2026-02-01", "first"],
  ["a transformed one", sent('{"id":"e1","text":"paid"}'), "2026-02-01", null],
  ["a callback", sent('{"eventId":"e1","data":{}}'), "2026-02-01", null],
  ["to a queue", sent(inQueue(bodyOf("2026-01-01"))), "2026-02-01", "2026-01-01"],
  ["to a queue, cut", sent(inQueue(bodyOf("first")).slice(0, 120)), "2026-02-01", "first"],
  ["to an event bus", sent(onBus(bodyOf("2026-01-01"))), "2026-02-01", "2026-01-01"],
])("%s: the version in which it went out", (...[, run, version, expected]) => {
  expect(readSentVersion(run, Buffer.from(bodyOf(version)))).toBe(expected);
});
