import { createHmac } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { acknowledge, disconnect } from "#lib/services/listeners/change-listener.ts";
import { openListener } from "#lib/services/listeners/open-listener.ts";
import { openPoll, readNextFrames } from "#lib/services/listeners/read-frames.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { sendJson } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const patience = { interval: 20 };

type Responded = {
  readonly status: number;
  readonly headers?: [string, string][];
  readonly body?: string | Buffer;
};
type Program = {
  /** The bodies that it got. */
  readonly got: string[];
  readonly id: string;
  readonly connectionId: string;
  leave(): Promise<void>;
};

const contextOf = ({ accountId }: TestHook) => testContext(bench.db, accountId);

function connect(context: ServiceContext, hook: TestHook, more: Record<string, unknown> = {}) {
  const host = "ada.local";
  return openListener(context, { name: newId(), host, hookIds: [hook.id], reply: true, ...more });
}

/** A program that listens to a hook and answers its provider, until the test ends. */
async function startProgram(
  hook: TestHook,
  respond: (body: string) => Responded | null,
): Promise<Program> {
  const context = contextOf(hook);
  const { id, connectionId } = await connect(context, hook);
  const got: string[] = [];
  let isRunning = true;
  const run = async () => {
    while (isRunning) {
      const { reader } = await openPoll(context, { id, connection: connectionId });
      for (const { cursor, deliveryId, body } of (await readNextFrames(context, reader)).frames) {
        const text = Buffer.from(body ?? []).toString();
        got.push(text);
        const responded = respond(text);
        if (responded === null) continue;
        const { status, headers = [], body: sent = "" } = responded;
        const bodyBase64 = Buffer.from(sent).toString("base64");
        const ack = { cursor: `${cursor}-${deliveryId}`, status, headers, bodyBase64 };
        await acknowledge(context, { id, connection: connectionId, acks: [ack] });
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const running = run();
  const leave = async () => {
    isRunning = false;
    await running;
    await disconnect(context, { id, connectionId }).catch(() => {});
  };
  onTestFinished(leave);
  return { got, id, connectionId, leave };
}

const send = (hook: TestHook, id: string, headers = {}) =>
  sendJson(bench.caught.port, hook.path, { id }, headers);

/** What the providers of an account's deliveries got, oldest first. */
async function readReplies({ accountId }: TestHook) {
  const rows = await bench.db.reply.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  return await Promise.all(rows.map(({ id }) => findDeliveryReply(bench.db, accountId, id)));
}

it("the provider gets what the program responds, and a duplicate the same, until it leaves", async () => {
  const hook = await addHook(bench.db);
  const program = await startProgram(hook, (body) => ({
    status: 201,
    headers: [
      ["Content-Type", "text/html"],
      ["X-Of", body],
      ["Set-Cookie", "a=b"],
      ["X-Accel-Redirect", "/etc/passwd"],
      ["X-Broken", "snow \u2603"],
    ],
    body: Buffer.from([0xff, 0, 0x31]),
  }));
  // The first one may come before the catch process has heard of it.
  await expect.poll(async () => (await send(hook, newId())).status, patience).toBe(201);
  const got = program.got.length;
  for (const response of [await send(hook, "evt_1"), await send(hook, "evt_1")]) {
    expect(response.status).toBe(201);
    const { headers } = response;
    const names = ["content-type", "x-of", "content-length", "content-security-policy"];
    expect(names.map((name) => headers.get(name))).toEqual([
      ...["text/plain; charset=utf-8", '{"id":"evt_1"}', "3", "sandbox"],
    ]);
    const dropped = ["set-cookie", "x-accel-redirect", "x-broken"];
    expect(dropped.map((name) => headers.get(name))).toEqual([null, null, null]);
  }
  expect(program.got).toHaveLength(got + 1);
  const replies = async () => (await readReplies(hook)).at(-1);
  await expect
    .poll(replies, patience)
    .toMatchObject({ sentAs: "listener", sentStatus: 201, status: null });
  await program.leave();
  await expect.poll(async () => (await send(hook, newId())).json.status, patience).toBe("accepted");
});

it("what the program refuses, the provider sends again, and the program gets it again", async () => {
  const hook = await addHook(bench.db);
  let status = 500;
  const program = await startProgram(hook, () => ({ status, body: `status ${status}` }));
  await expect.poll(async () => (await send(hook, newId())).status, patience).toBe(500);
  const got = program.got.length;
  expect(await send(hook, "evt_1")).toMatchObject({ status: 500, text: "status 500" });
  status = 204;
  expect(await send(hook, "evt_1")).toMatchObject({ status: 204, text: "" });
  expect(await send(hook, "evt_1")).toMatchObject({ status: 204 });
  expect(program.got.slice(got)).toEqual(['{"id":"evt_1"}', '{"id":"evt_1"}']);
});

it.each([
  ["a redirect", { status: 302, headers: [["Location", "/login"]] }],
  ["a body that is compressed", { status: 200, headers: [["Content-Encoding", "gzip"]] }],
  ["a body of more than 64 KiB", { status: 200, body: "x".repeat(65_537) }],
] as [string, Responded][])("%s gives the hook's own response", async (_name, responded) => {
  const response = { status: 203, body: "own" };
  const hook = await addHook(bench.db, { response });
  const program = await startProgram(hook, () => responded);
  await expect
    .poll(async () => {
      expect(await send(hook, newId())).toMatchObject({ status: 203, text: "own" });
      return (await readReplies(hook)).at(-1)?.sentAs;
    }, patience)
    .toBe("listener_none");
  expect(program.got.length).toBeGreaterThan(0);
});

it("a second program is told who answers, and takes the place of one that is gone", async () => {
  const hook = await addHook(bench.db, { name: "Slack" });
  const context = contextOf(hook);
  const first = await connect(context, hook);
  await expect(connect(context, hook)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/^Slack is answered by .+ on ada\.local since 2/),
  });
  expect(await bench.db.listener.count({ where: { accountId: hook.accountId } })).toBe(1);
  await connect(context, hook, { reply: false });
  const { id, connectionId } = first;
  await bench.db.listenerConnection.update({
    where: { id: connectionId },
    data: { seenAt: new Date(Date.now() - 31_000) },
  });
  expect((await connect(context, hook)).connections).toMatchObject([{ replies: true }]);
  // The first one connects again, and is told then.
  await expect(acknowledge(context, { id, connection: connectionId, acks: [] })).rejects.toThrow(
    "has ended",
  );
  for (const wrong of [{ hookIds: [] }, { share: true }])
    await expect(connect(context, hook, wrong)).rejects.toMatchObject({
      errors: [{ path: "reply", code: "not_allowed" }],
    });
  const { accountId } = hook;
  const limited = {
    ...({ type: "token", accountId, tokenId: newId(), userId: null, name: "t" } as const),
    ...({ role: "member", scopes: ["deliveries:read"], maskedFields: [] } as const),
  };
  const asReader = testContext(bench.db, hook.accountId, { actor: limited });
  await expect(connect(asReader, hook)).rejects.toMatchObject({ code: "forbidden" });
});

it("Slack's URL verification is answered by the program, or by us if it doesn't know it", async () => {
  const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
  const hook = await addHook(bench.db, { provider: "slack", signingSecret });
  let responded: Responded = { status: 200, body: "from localhost" };
  const program = await startProgram(hook, () => responded);
  const challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P";
  const verifyUrl = async () => {
    const body = JSON.stringify({ type: "url_verification", token: "t", challenge });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signed = createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`);
    return await sendJson(bench.caught.port, hook.path, body, {
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signed.digest("hex")}`,
    });
  };
  await expect.poll(async () => (await verifyUrl()).text, patience).toBe("from localhost");
  expect(JSON.parse(program.got.at(-1) ?? "")).toMatchObject({ challenge });
  responded = { status: 404, body: "no such page" };
  expect(await verifyUrl()).toMatchObject({ status: 200, text: challenge });
  const forged = await sendJson(bench.caught.port, hook.path, {
    type: "url_verification",
    challenge,
  });
  expect(forged.status).toBe(401);
});

it("a program that takes too long: the provider gets 202, and a duplicate doesn't wait", {
  tags: "variant",
}, async () => {
  const hook = await addHook(bench.db);
  await startProgram(hook, () => null);
  await expect.poll(async () => (await send(hook, newId())).status, patience).toBe(202);
  await expect
    .poll(async () => (await readReplies(hook)).at(-1), patience)
    .toMatchObject({ sentAs: "listener_timeout", sentStatus: 202 });
});
