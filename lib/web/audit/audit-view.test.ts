import { expect, test } from "vitest";
import { toAuditEvent } from "#lib/core/people/audit/audit-event.ts";
import type { AuditRecord } from "#lib/services/audit-log.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { auditView } from "./audit-view.ts";

const entry: AuditRecord = {
  seq: 1042,
  at: new Date("2026-11-26T14:02:11.318Z"),
  event: "hook.updated",
  ...{ actorType: "user", actorId: "ada", actorName: "ada@example.com" },
  ...{ ip: "203.0.113.7", userAgent: null, requestId: "req-42" },
  targets: [{ type: "hook", id: "h", name: "Payments" }],
  changes: [{ path: "name", before: "Refunds", after: "Payments" }],
};
const accountId = "01a217b0-c8f4-70bd-95e0-909ab3000000";
const send = (mac: Uint8Array) =>
  toAuditEvent({ ...entry, accountId, seq: BigInt(entry.seq), mac });

test("a receiver gets an entry as the API shows it, with the head that verifying takes", () => {
  const shown = JSON.parse(JSON.stringify(auditView.show(entry, {} as ServiceContext)));
  const head = `${accountId}:1042:${"ab".repeat(32)}`;
  expect(send(new Uint8Array(32).fill(0xab)).data).toEqual({ ...shown, head });
});

test("an entry has the same id each time, and another entry with its number has another one", () => {
  const [one, same, other] = [1, 1, 2].map((byte) => send(new Uint8Array(32).fill(byte)).id);
  expect(one).toBe("audit_1042_010101010101010101010101");
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
