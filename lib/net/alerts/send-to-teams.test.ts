import { expect, test } from "vitest";
import type { AlertMessage } from "#lib/core/alerts/alert-message.ts";
import { type AlertParts, sendAlert } from "./send-alert.ts";

const message = {
  ...{ id: "a", title: "T", text: null, facts: [], items: [], url: "https://c.example/p" },
  ...{ account: "Acme", problem: null },
} as unknown as AlertMessage;

function respond(status: number, body: string): AlertParts {
  const response = { status, headers: [], body: Buffer.from(body) };
  const client = { call: async () => ({ ok: true, response }) } as unknown as AlertParts["client"];
  return { client, version: "1", mail: undefined, publicUrl: "https://c.example" };
}

const channel = { kind: "teams", secrets: { url: "https://teams.example/w" } } as const;

test.each([
  [202, "", true],
  [200, "1", true],
  [200, "", true],
  [200, '{"id":"42"}', true],
  [
    200,
    "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429",
    false,
  ],
  [200, "Webhook Bad Request - Null or empty event: error", false],
  [200, '{"error":{"code":"TriggerInputSchemaMismatch"}}', false],
  [202, "Summary or Text is required. Failed", false],
  [503, "", false],
])("a response of Teams with %i and %j is a message that it took: %j", async (status, body, ok) => {
  expect((await sendAlert(channel, message, respond(status, body))).ok).toBe(ok);
});
