import { expect, it } from "vitest";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { type FailureView, toFailureRow } from "./failure-row.ts";

const at = new Date("2026-11-26T10:00:00Z");
const run: RunListItem = {
  ...{ id: "run", status: "failed", attemptCount: 1, nextAttemptAt: null, createdAt: at },
  ...{ reason: null, durationMs: 5, httpStatus: null, errorCode: null, isSample: false },
  ...{ deliveryId: "delivery", eventType: "order.paid", eventId: "evt_1", internalEventId: null },
  ...{ hookId: "hook", hookName: "Shop", actionId: "action", actionName: "To the CRM" },
  ...{ subscriptionId: null, receiverUrl: null, subscriptionDescription: null, recipient: null },
};
const group = (reason: string, example: Partial<RunListItem>): FailureView => ({
  ...{ actionId: "action", subscriptionId: null, reason, count: 2, bars: [0, 2] },
  ...{ firstAt: at, lastAt: at, mutedAt: null, recipientName: null },
  example: { ...run, ...example },
});

it("a group says its reason once: the status of the response, or else a sentence", () => {
  const answered = {
    code: "not_retried",
    detail: "The receiver responded with 422; this is not retried",
  };
  const ofStatus = group("not_retried", { httpStatus: 422, reason: answered });
  expect(toFailureRow(ofStatus, "7d")).toMatchObject({
    why: "Refused (422)",
    detail: null,
    fix: null,
  });
  const detail = `body.email: data.email is not in this payload ${"x".repeat(400)}`;
  const ofMapping = group("mapping_failed", { reason: { code: "mapping_failed", detail } });
  expect(toFailureRow(ofMapping, "7d")).toMatchObject({
    why: "Missing field",
    detail: detail.slice(0, 300),
    fix: "/actions/action?delivery=delivery",
    muteKey: { actionId: "action", reason: "mapping_failed" },
    isMuted: false,
  });
});

it("a group of sends is that of a subscription, and of its recipient", () => {
  const send = {
    ...{ hookName: null, hookId: null, actionId: null, actionName: null, deliveryId: null },
    ...{ subscriptionId: "sub", receiverUrl: "https://example.com/in", recipient: "cust_1" },
  };
  const view = { ...group("gone", send), actionId: null, subscriptionId: "sub", mutedAt: at };
  expect(toFailureRow(view, "24h")).toMatchObject({
    ...{ name: "example.com/in", of: "cust_1", href: "/subscriptions/sub" },
    example: "/events/evt_1#run",
    muteKey: { subscriptionId: "sub", reason: "gone" },
    isMuted: true,
    filter: { status: "failed", subscriptionId: "sub", reason: "gone", since: "24h" },
  });
  expect(toFailureRow({ ...view, recipientName: "Initech" }, "24h").of).toBe("Initech");
});
