import { expect, test } from "vitest";
import { messageOfProblem, titleOfProblem } from "./describe-problem.ts";

const actions = [{ id: "1", name: "Notify finance", paths: ["total"], readBy: ["body.amount"] }];
const change = { path: "total", change: "type", before: "number", after: "text" } as const;

test("a change of shape names the fields, what became of them, and the mappings that read them", () => {
  const shape = { kind: "shape", eventType: "order.paid", changes: [change], actions } as const;
  const details = { ...shape, changes: [change], actions };
  expect(messageOfProblem(details)).toBe(
    "total was number and is text now. Read by Notify finance (body.amount).",
  );
  const names = { hookName: "Orders", actionName: null, receiverUrl: null, reason: null };
  expect(titleOfProblem({ kind: "shape", details, ...names })).toBe(
    "order.paid changed its shape: total",
  );
  const missing = { path: "id", change: "missing", before: "text", after: null } as const;
  const others = ["a", "b"].map((path) => ({ ...missing, path, change: "new" as const }));
  expect(messageOfProblem({ ...details, changes: [missing, change, ...others], actions: [] })).toBe(
    "id is missing, total was number and is text now, a is new, 1 more. No action reads what changed.",
  );
});
