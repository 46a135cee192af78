import { sign } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { sampleKeys, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, startTestCatch } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

describe("Amazon's confirmation", () => {
  const topicArn = "arn:aws:sns:us-east-1:123456789012:orders";
  const subscribeUrl = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`;
  const called: string[] = [];
  let isResponding = true;
  let port = 0;

  beforeAll(async () => {
    const own = await startTestCatch(bench.url, {
      signingKeys: { find: sampleKeys, load: async () => false },
      confirmUrl: async (url) => {
        called.push(url);
        return isResponding;
      },
    });
    port = own.port;
    return () => own.stop();
  });

  /** The text that sns-validator reads: names and values of these fields, in this order. */
  function confirmation(
    changed: Record<string, string> = {},
    type = "SubscriptionConfirmation",
  ): string {
    const message: Record<string, string> = {
      Message: "You have chosen to subscribe to the topic",
      MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
      SubscribeURL: subscribeUrl,
      Timestamp: new Date().toISOString(),
      Token: "t",
      TopicArn: topicArn,
      Type: type,
      ...changed,
    };
    const text = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
      .map((name) => `${name}\n${message[name]}\n`)
      .join("");
    const scheme = findProvider("aws-sns")?.scheme ?? { kind: "bearer" };
    const signature = sign(
      "sha256",
      Buffer.from(text),
      sampleSecret(scheme, "aws-sns").signing,
    ).toString("base64");
    const url = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-sample.pem";
    return JSON.stringify({
      ...message,
      SignatureVersion: "2",
      SigningCertURL: url,
      Signature: signature,
    });
  }

  const deliverTo = (hook: TestHook, body: string) =>
    send(port, hook.path, { body, headers: { "content-type": "text/plain; charset=UTF-8" } });
  const addSns = () =>
    addHook(bench.db, { provider: "aws-sns", verification: { settings: { topicArn } } });

  test("is called once the signature matches, and confirmed, even while the hook is paused", async () => {
    const hook = await addSns();
    called.length = 0;
    expect((await deliverTo(hook, confirmation())).status).toBe(200);
    await setHookStatus(testContext(bench.db, hook.accountId), { id: hook.id, status: "paused" });
    expect((await deliverTo(hook, confirmation())).status).toBe(200);
    expect(called).toEqual([subscribeUrl, subscribeUrl]);
    const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
    expect(rows).toMatchObject(
      [1, 2].map(() => ({ status: "handshake", verificationOutcome: "verified" })),
    );
  });

  test("without a successful response makes SNS try again", async () => {
    const hook = await addSns();
    isResponding = false;
    const response = await deliverTo(hook, confirmation());
    isResponding = true;
    expect([response.status, response.json.code]).toEqual([503, "unavailable"]);
    expect(await bench.db.delivery.count({ where: { hookId: hook.id } })).toBe(0);
  });

  test.each<[string, number, () => string]>([
    ["unsigned", 401, () => confirmation().replace("You have", "They have")],
    ["of another topic", 401, () => confirmation({ TopicArn: `${topicArn}2` })],
    [
      "to a host that is not Amazon's",
      400,
      () => confirmation({ SubscribeURL: "https://sns.evil.example/" }),
    ],
    [
      "to an address inside",
      400,
      () => confirmation({ SubscribeURL: "http://169.254.169.254/latest" }),
    ],
    ["with goodbye", 200, () => confirmation({}, "UnsubscribeConfirmation")],
  ])("%s is not called", async (_name, status, make) => {
    const hook = await addSns();
    called.length = 0;
    expect((await deliverTo(hook, make())).status).toBe(status);
    expect(called).toEqual([]);
  });
});
