import { createHmac, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { type ReceivedCall, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { patience, withWorkerQueue } from "../testing/with-worker-queue.ts";
import { verifyAsDocumented } from "./testing/documented-receivers.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addSubscription, addSecret, addEvent } = sendFixture(queue.db, testSealer);

/** Verifies the header `t=…,v1=…` as docs/verifying-events.md describes it. */
function isTimedSignature(text: unknown, { body }: ReceivedCall, secret: string): boolean {
  const [, timestamp = "", given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(text)) ?? [];
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return given === createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
}

const signedBy = ({ headers }: ReceivedCall) =>
  Object.keys(headers).filter((name) => name.endsWith("-signature") || name.startsWith("webhook-"));

const standard = ["webhook-id", "webhook-timestamp", "webhook-signature"];

it("sends are signed in the headers that the account chose, from the next one on", async () => {
  let status = 200;
  await using receiver = await startReceiver((response) => response.writeHead(status).end());
  await using _worker = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const subscription = await addSubscription(accountId, {
    receiverUrl: receiver.url,
    headers: { "acme-signature": "not the signature", "X-Tenant": "eu" },
  });
  async function send(): Promise<ReceivedCall> {
    const { runIds } = await addEvent([subscription], { note: "Zoë" });
    notifyRunsDue(queue.db);
    for (const id of runIds) await untilFinished(id);
    const call = receiver.calls.at(-1);
    if (call === undefined) throw new Error("nothing was received");
    return call;
  }
  const choose = (settings: object) =>
    queue.db.senderSettings.upsert({
      where: { accountId },
      create: { accountId, ...settings },
      update: settings,
    });
  const { secret } = subscription;

  const first = await send();
  expect(signedBy(first)).toEqual(["acme-signature", ...standard, "catchment-signature"]);
  expect(isTimedSignature(first.headers["catchment-signature"], first, secret)).toBe(true);

  await choose({ signatureHeader: "Acme-Signature" });
  const beside = await send();
  expect(signedBy(beside)).toEqual([...standard, "acme-signature", "catchment-signature"]);
  expect(beside.headers["x-tenant"]).toBe("eu");
  for (const name of ["acme-signature", "catchment-signature"])
    expect(isTimedSignature(beside.headers[name], beside, secret)).toBe(true);
  new StandardWebhook(secret).verify(beside.body, beside.headers as Record<string, string>);

  await choose({ catchmentSignature: false, standardWebhooksHeaders: false });
  const alone = await send();
  expect(signedBy(alone)).toEqual(["acme-signature"]);
  expect(isTimedSignature(alone.headers["acme-signature"], alone, secret)).toBe(true);
  expect(JSON.parse(alone.body).id).toMatch(/./);
  const sample = { id: null, timestamp: null, body: Buffer.from(alone.body), secret };
  const signature = String(alone.headers["acme-signature"]);
  const results = verifyAsDocumented("js", [{ ...sample, signature }], "acme-signature");
  expect(results).toEqual(["true"]);

  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await addSecret(subscription, { kind: "ed25519", text });
  const paired = await send();
  expect(signedBy(paired)).toEqual([...standard, "acme-signature"]);
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": given } = paired.headers;
  const v1a = Buffer.from(/v1a,(\S+)/.exec(String(given))?.[1] ?? "", "base64");
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  expect(verify(null, Buffer.from(`${id}.${at}.${paired.body}`), key, v1a)).toBe(true);

  // A subscription of an account with settings is disabled like any other.
  status = 410;
  await send();
  const where = { id: subscription.id };
  await expect
    .poll(() => queue.db.subscription.findUnique({ where }), patience)
    .toMatchObject({ status: "disabled" });
});
