import { expect, test } from "vitest";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { messageOfProblem, titleOfProblem } from "./describe-problem.ts";

const actions = [{ id: "1", name: "Notify finance", paths: ["total"], readBy: ["body.amount"] }];
const change = { path: "total", change: "type", before: "number", after: "text" } as const;

test("a change of shape names the fields, what became of them, and the mappings that read them", () => {
  const shape = { kind: "shape", eventType: "order.paid", changes: [change], actions } as const;
  const details = { ...shape, changes: [change], actions };
  expect(messageOfProblem(details)).toBe(
    "total was number and is text now. Read by Notify finance (body.amount).",
  );
  const names = {
    hookName: "Orders",
    actionName: null,
    receiverUrl: null,
    recipient: null,
    reason: null,
  };
  expect(titleOfProblem({ kind: "shape", details, ...names })).toBe(
    "order.paid changed its shape: total",
  );
  const missing = { path: "id", change: "missing", before: "text", after: null } as const;
  const others = ["a", "b"].map((path) => ({ ...missing, path, change: "new" as const }));
  expect(messageOfProblem({ ...details, changes: [missing, change, ...others], actions: [] })).toBe(
    "id is missing, total was number and is text now, a is new, 1 more. No action reads what changed.",
  );
});

test("sends that fail name the recipient beside the host, which many receivers share", () => {
  const details = {
    kind: "subscription_failing",
    message: "The receiver responded with 503",
  } as const;
  const names = { hookName: null, actionName: null, receiverUrl: "https://hooks.example.com/a/1" };
  const titleOf = (recipient: string | null, name?: typeof nameReceiver) =>
    titleOfProblem(
      { kind: "subscription_failing", details, reason: "status_503", recipient, ...names },
      name,
    );
  expect(titleOf("Globex")).toBe(
    "Sends to Globex (hooks.example.com) fail: the receiver responds with 503",
  );
  expect(titleOf(null)).toBe("Sends to hooks.example.com fail: the receiver responds with 503");
  expect(titleOf("Globex", nameReceiver)).toContain("to Globex (hooks.example.com/a/1) fail");
});
