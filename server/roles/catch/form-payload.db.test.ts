import { createHmac } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { isValidSlackRequest } from "@slack/bolt/dist/receivers/verify-request.js";
import { expect, test } from "vitest";
import { readDeliveryContext } from "#lib/core/mapping/build-request/delivery-context.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { send } from "#server/testing/catch-harness.ts";
import { verifying } from "#server/testing/signers.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const form = "application/x-www-form-urlencoded";

/** Sends a body, and reads what is stored of it as its actions do. */
async function deliver(hook: TestHook, body: string, headers: Record<string, string>) {
  const sent = { body: new Uint8Array(Buffer.from(body)), headers };
  const response = await send(bench.caught.port, hook.path, sent);
  const row = (await readDeliveries(bench.db, hook)).at(-1);
  if (row === undefined) throw new Error(`nothing is stored: ${response.status}`);
  const view = {
    ...row,
    receivedAtMs: row.receivedAt.getTime(),
    headers: row.headers as [string, string][],
  };
  const { names } = await readDeliveryContext(view, toHookView(hook));
  return { status: response.status, row, payload: names.payload };
}

test("GitHub's form is the event that its JSON is, once", async () => {
  const secret = "It's a Secret";
  const hook = await addHook(bench.db, verifying("github", secret));
  const event = JSON.stringify({ action: "opened", issue: { number: 7 }, note: "a&b=c+d" });
  const bodies = [
    [form, `${new URLSearchParams({ payload: event })}`],
    ["application/json", event],
  ] as const;
  for (const [type, body] of bodies) {
    const { status, row, payload } = await deliver(hook, body, {
      "content-type": type,
      "x-github-event": "issues",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
      "x-hub-signature-256": await signGithub(secret, body),
    });
    expect([status, row.verificationOutcome, row.eventType]).toEqual([200, "verified", "issues"]);
    expect(payload).toMatchObject({ action: "opened", note: "a&b=c+d" });
  }
  const stored = await readDeliveries(bench.db, hook);
  expect(stored.map((row) => row.status)).toEqual(["accepted", "duplicate"]);
});

test("a button of Slack has the type and the id of its event, and a command has its fields", async () => {
  const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
  const hook = await addHook(bench.db, verifying("slack", signingSecret));
  const deliverSigned = (body: string, type: string) => {
    const time = Math.floor(Date.now() / 1_000);
    const mac = createHmac("sha256", signingSecret).update(`v0:${time}:${body}`).digest("hex");
    const proof = { "x-slack-signature": `v0=${mac}`, "x-slack-request-timestamp": time };
    expect(isValidSlackRequest({ signingSecret, body, headers: proof })).toBe(true);
    const headers = { ...proof, "x-slack-request-timestamp": `${time}` };
    return deliver(hook, body, { ...headers, "content-type": type });
  };
  const event = { type: "block_actions", trigger_id: "1.2.a", actions: [{ value: "yes" }] };
  const button = `${new URLSearchParams({ payload: JSON.stringify(event) })}`;
  const pressed = await deliverSigned(button, form);
  expect(pressed.row).toMatchObject({ eventType: "block_actions", eventId: "1.2.a" });
  expect(pressed.payload).toMatchObject({ actions: [{ value: "yes" }] });
  // The header that isn't signed decides nothing.
  const again = await deliverSigned(button, "text/plain");
  expect(again.row.status).toBe("duplicate");
  const command = await deliverSigned("command=%2Fweather&text=94070&trigger_id=3.4.b", form);
  expect(command.row).toMatchObject({ eventType: "/weather", eventId: "3.4.b" });
  expect(command.payload).toMatchObject({ command: "/weather", text: "94070" });
});

test.each(["?name=M%FCller", "?a=100%", "/100%/M%FCller", "?%zz=%u00e9"])(
  "a catch URL with %s is stored as it was sent",
  async (rest) => {
    const hook = await addHook(bench.db);
    const sent = { body: new Uint8Array(Buffer.from("{}")), headers: {} };
    const response = await send(bench.caught.port, hook.path + rest, sent);
    const [row] = await readDeliveries(bench.db, hook);
    expect([response.status, `${row?.path}${row?.query === "" ? "" : "?"}${row?.query}`]).toEqual([
      200,
      rest,
    ]);
  },
);
