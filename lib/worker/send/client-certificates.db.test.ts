import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { certificateJob } from "#lib/jobs/kinds/problems/check-certificates.ts";
import { createAuthority, type KeyPair } from "#lib/net/testing/client-certificates.ts";
import { createCredential, deleteCredential, updateCredential } from "#lib/services/credentials.ts";
import { getPortalSubscription } from "#lib/services/portal.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addEvent } = sendFixture(queue.db, testSealer);
const authority = await createAuthority();
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

/** An account whose receivers are on this machine, and a portal of one of its recipients. */
async function addAccount() {
  const accountId = await queue.addAccount();
  const variables = {
    CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    CATCHMENT_PORTAL_EGRESS_ALLOW: "127.0.0.1/32",
  };
  const options = { sealer: testSealer, variables };
  const context = testContext(queue.db, accountId, options);
  const actor = {
    ...({ type: "portal", accountId, recipient: "cust_1" } as const),
    capabilities: ["subscriptions:read", "subscriptions:write"] as const,
  };
  return { accountId, context, portal: testContext(queue.db, accountId, { ...options, actor }) };
}

const toAuth = ({ cert, private: privateKey }: KeyPair) =>
  ({ type: "certificate", certificate: cert, privateKey, ca: authority.ca }) as const;

const findProblems = (accountId: string) =>
  queue.db.problem.findMany({ where: { accountId }, orderBy: { id: "asc" } });

it("a subscription's calls and challenge have its certificate, and a new one from the next call on", async () => {
  const callers: string[] = [];
  await using receiver = await authority.startReceiver({ isStrict: true }, (name, headers) =>
    callers.push(headers["webhook-challenge"] === undefined ? name : `challenge of ${name}`),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, context, portal } = await addAccount();
  await queue.db.senderSettings.create({ data: { accountId, challengeNewUrls: true } });
  const origin = `https://127.0.0.1:${receiver.port}`;
  const first = await authority.client("shop-1");
  const { id: credentialId } = await createCredential(context, {
    ...{ name: "Shop", origin },
    auth: toAuth(first),
  });
  const receiverUrl = `${origin}/in`;
  const given = { receiverUrl, recipient: "cust_1", credentialId };
  const { subscription, secret } = await createSubscription(context, given);
  expect(subscription).toMatchObject({ status: "active", credentialId });
  const target = { id: subscription.id, accountId, secret };
  const send = async () => {
    const { runIds } = await addEvent([target]);
    notifyRunsDue(queue.db);
    const [run] = await Promise.all(runIds.map((id) => untilFinished(id)));
    return run;
  };
  expect(await send()).toMatchObject({ state: "succeeded" });
  await updateCredential(context, {
    id: credentialId,
    auth: toAuth(await authority.client("shop-2")),
  });
  expect(await send()).toMatchObject({ state: "succeeded" });
  expect(callers).toEqual(["challenge of shop-1", "shop-1", "shop-2"]);
  const attempts = await queue.db.attempt.findMany({ where: { accountId } });
  const stored = JSON.stringify([attempts, await queue.db.run.findMany({ where: { accountId } })]);
  expect(stored).not.toContain("PRIVATE KEY");

  const shown = await getPortalSubscription(portal, { id: subscription.id });
  expect(shown.certificate).toMatchObject({ subject: "CN=shop-2" });
  const moved = { id: subscription.id, receiverUrl: "https://other.example/in" };
  await expect(updateSubscription(portal, moved)).rejects.toMatchObject({
    errors: [{ path: "receiverUrl", code: "conflict" }],
  });
  await expect(updateSubscription(context, moved)).rejects.toMatchObject({
    errors: [{ path: "credentialId", code: "conflict" }],
  });
  await expect(deleteCredential(context, { id: credentialId })).rejects.toThrow(
    /used by the subscription/,
  );
  await updateSubscription(context, { id: subscription.id, credentialId: null });
  const { runIds } = await addEvent([target]);
  notifyRunsDue(queue.db);
  await expect
    .poll(async () => await queue.db.attempt.findMany({ where: { runId: runIds[0] ?? "" } }))
    .toMatchObject([{ errorCode: "tls" }]);
  await deleteCredential(context, { id: credentialId });
});

it("only a client certificate of the account and the origin can be chosen", async () => {
  const { context } = await addAccount();
  const other = await addAccount();
  const origin = "https://receiver.example";
  const bearer = { type: "bearer", token: "sk_live_1" } as const;
  const auth = toAuth(await authority.client("shop-1"));
  const rows = [
    [await createCredential(context, { name: "A", origin, auth: bearer }), "not_allowed"],
    [await createCredential(context, { name: "B", origin: `${origin}:8443`, auth }), "conflict"],
    [await createCredential(other.context, { name: "C", origin, auth }), "not_found"],
  ] as const;
  for (const [{ id }, code] of rows) {
    const input = { receiverUrl: `${origin}/in`, credentialId: id };
    await expect(createSubscription(context, input)).rejects.toMatchObject({
      errors: [{ path: "credentialId", code }],
    });
  }
});

it("a problem is open while a certificate in use ends within 30 days", async () => {
  const { accountId, context } = await addAccount();
  const origin = "https://receiver.example";
  const create = async (name: string, until: Date) => {
    const auth = toAuth(await authority.client(name, until));
    return (await createCredential(context, { name, origin, auth })).id;
  };
  const credentialId = await create("Shop", inDays(31));
  await create("Unused", inDays(1));
  const { subscription } = await createSubscription(context, {
    ...{ receiverUrl: `${origin}/in`, credentialId },
  });
  const job = certificateJob(queue.db);
  const look = async () => {
    await job.work(AbortSignal.timeout(10_000));
    const problems = await findProblems(accountId);
    return problems.map(({ state, count, details }) => [
      state,
      Number(count),
      (details as { hasExpired: boolean }).hasExpired,
    ]);
  };
  const replace = async (until: Date) => {
    const auth = toAuth(await authority.client("Shop", until));
    await updateCredential(context, { id: credentialId, auth });
  };
  expect(await look()).toEqual([]);
  await replace(inDays(29));
  expect(await look()).toEqual([["open", 1, false]]);
  expect(await look()).toEqual([["open", 1, false]]);
  await replace(inDays(-1));
  expect(await look()).toEqual([["open", 2, true]]);
  await replace(inDays(365));
  expect(await look()).toEqual([["resolved", 2, true]]);
  await replace(inDays(3));
  expect((await look()).at(-1)).toEqual(["open", 1, false]);
  await deleteSubscription(context, { id: subscription.id });
  expect((await look()).at(-1)).toEqual(["resolved", 1, false]);
});
