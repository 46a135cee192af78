import { expect, test } from "vitest";
import { type AlertProblem, writeAlert } from "../alert-message.ts";
import { toPagerDuty } from "./pagerduty.ts";

const at = new Date("2026-11-24T03:00:00Z");
const problem: AlertProblem = {
  id: "01a20b82-d6d7-731c-9a1a-08fddb8144a4",
  kind: "subscription_failing",
  state: "open",
  reason: "receiver_down",
  details: { kind: "subscription_failing", message: "The receiver responded with 503" },
  hookName: null,
  actionName: null,
  receiverUrl: "https://hooks.customer.example/services/T0/s3cret?token=s3cret",
  recipient: "cust_1",
  firstAt: at,
  lastAt: at,
  count: 1,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  acknowledgedBy: null,
};

test("an incident names the host of a receiver, and not the rest of its URL", () => {
  const about = { id: "alert_1", account: "Acme", publicUrl: "https://hooks.example.test" };
  const sent = toPagerDuty(writeAlert(about, "opened", problem), "key");
  expect(sent).toMatchObject({ payload: { component: "hooks.customer.example" } });
  expect(JSON.stringify(sent)).not.toContain("s3cret");
});
