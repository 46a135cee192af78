import { afterAll, expect, test } from "vitest";
import type { AlertMessage } from "#lib/core/watch/alerts/alert-message.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { allow } from "#lib/net/testing/test-calls.ts";
import { serveHttp } from "#lib/net/testing/test-servers.ts";
import { sendAlert } from "./send-alert.ts";

const message = {
  ...{ id: "a", title: "T", text: null, facts: [], items: [], url: "https://c.example/p" },
  ...{ account: "Acme", problem: null },
} as unknown as AlertMessage;

const client = createHttpClient({ allow: allow("127.0.0.1") });
const parts = { client, version: "1", mail: undefined, publicUrl: "https://c.example" } as const;
afterAll(() => client.close());

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
  await using teams = await serveHttp((_request, response) => {
    response.writeHead(status).end(body);
  });
  const channel = { kind: "teams", secrets: { url: `http://127.0.0.1:${teams.port}/w` } } as const;
  expect((await sendAlert(channel, message, parts)).ok).toBe(ok);
});
