import { expect, it } from "vitest";
import { findOutsideChange } from "./changed-outside.ts";

const at = new Date("2026-11-29T10:00:00Z");
const entry = (seq: bigint, event: string, path?: string, id = "1") => ({
  seq,
  at: new Date(at.getTime() + Number(seq)),
  event,
  actorName: `person ${seq}`,
  targets: [{ type: event.split(".")[0] ?? "", id, name: "Orders" }],
  changes: path === undefined ? null : [{ path, before: 1, after: 2 }],
});
const mark = { kind: "hook", itemId: "1", appliedSeq: 3n };

it("finds who changed what since the last apply, the newest first", () => {
  const entries = [
    entry(9n, "hook.secret.read"),
    entry(8n, "hook.updated", "name", "2"),
    entry(7n, "hook.updated"),
    entry(6n, "hook.paused"),
    entry(5n, "hook.updated", "name"),
    entry(4n, "hook.updated", "dedupe"),
    entry(3n, "hook.updated", "response"),
  ];
  expect(findOutsideChange(entries, mark)).toEqual({
    at: new Date(at.getTime() + 6),
    by: "person 6",
    fields: ["dedupe", "name"],
    isDeleted: false,
    name: "Orders",
  });
});

it("tells nothing of what only read, of earlier changes, and of other things", () => {
  const entries = [
    entry(9n, "hook.secret.read"),
    entry(8n, "hook.updated", "name", "2"),
    entry(3n, "hook.updated", "name"),
  ];
  expect(findOutsideChange(entries, mark)).toBeNull();
  expect(findOutsideChange([entry(4n, "action.updated", "name")], mark)).toBeNull();
});

it("knows that it was deleted", () => {
  const deleted = [entry(5n, "event_type.deleted"), entry(4n, "event_type.saved")];
  expect(findOutsideChange(deleted, { ...mark, kind: "event type" })?.isDeleted).toBe(true);
});
