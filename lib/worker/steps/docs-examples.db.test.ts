import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { buildSample } from "#lib/core/providers/samples/build-sample.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const docs = readFileSync(new URL("../../../docs/actions.md", import.meta.url), "utf8");
const examples = new Map(
  [...docs.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => {
    const example: { name: string } = JSON.parse(text);
    return [example.name, example];
  }),
);

/** The response of each receiver in the examples, by the start of the path. */
const responses: Readonly<Record<string, readonly [status: number, body: string]>> = {
  "GET /contacts": [200, '{"total":0,"contacts":[]}'],
  "POST /contacts": [201, '{"id":"cus_7"}'],
  "POST /services": [200, "ok"],
  "POST /parcels": [422, '{"error":"no such street"}'],
};

it.each([
  [
    "Checkout to the CRM",
    ["stripe", "checkout.session.completed"],
    ["GET /contacts", "POST /contacts", "PATCH /contacts/cus_7"],
  ],
  ["Push to Slack", ["github", "push"], ["POST /services/T0/B0/x"]],
  [
    "Order to all systems",
    ["shopify", "orders/create"],
    ["PUT /orders", "POST /parcels", "POST /tickets", "POST /reservations"],
  ],
])("docs/actions.md: %s", async (name, [provider = "", eventType], expected) => {
  await using receiver = await startReceiver((response, { method, path }) => {
    const known = Object.keys(responses).find((start) => `${method} ${path}`.startsWith(start));
    const [status, body] = (known === undefined ? null : responses[known]) ?? [200, "{}"];
    response.writeHead(status, {
      "content-type": body === "ok" ? "text/plain" : "application/json",
    });
    response.end(body);
  });
  await using _worker = startTestWorker({ url: queue.url });
  const local = JSON.stringify(examples.get(name)).replaceAll(
    /https:\/\/\w+\.(slack\.)?example(\.com)?/g,
    `http://127.0.0.1:${receiver.port}`,
  );
  const {
    filter,
    request = null,
    steps = null,
    success,
  } = actionInputSchema.parse(JSON.parse(local));
  const sample = buildSample({ provider, eventType, nowMs: Date.now(), randomBytes });
  if (sample === null || !("json" in sample.content)) throw new Error(`No sample of ${eventType}`);
  const target = await queue.addActionQueue({ filter, request, steps, success });
  const [id = ""] = await queue.addRuns(target, 1, {
    body: JSON.stringify(sample.content.json),
    headers: [["Content-Type", "application/json"], ...Object.entries(sample.headers)],
  });
  expect(await untilFinished(id)).toMatchObject({ state: "succeeded" });
  const made = receiver.calls.map(({ method, path }) => `${method} ${path}`);
  expect(expected.filter((start) => !made.some((each) => each.startsWith(start)))).toEqual([]);
});
