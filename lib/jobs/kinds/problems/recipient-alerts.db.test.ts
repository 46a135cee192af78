import { expect, it } from "vitest";
import { listChannels } from "#lib/db/alerts/channels.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import {
  addRecipientEmail,
  confirmRecipientEmail,
  endRecipientEmail,
  listRecipientEmails,
  readEmailLink,
} from "#lib/services/alerts/recipient-emails.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { planAlertsJob, sendAlertsJob } from "./alerts.ts";

const { db, url } = withDatabase();

/** A portal of `cust_1`, whose receiver and whose neighbor's fail. */
async function openBench(smtpUrl?: string) {
  const accountId = await addAccount(db);
  const mail = { SMTP_URL: smtpUrl ?? "", CATCHMENT_MAIL_FROM: "catchment@example.com" };
  const variables = smtpUrl === undefined ? {} : mail;
  const capabilities = ["subscriptions:read", "subscriptions:write"] as const;
  const actor = { type: "portal", accountId, recipient: "cust_1", capabilities } as const;
  const context = testContext(db, accountId, { actor, variables });
  const receiverUrl = "https://hooks.example.com/in?key=1";
  const subscriptions = new Map<string, string>();
  for (const recipient of ["cust_1", "cust_2"]) {
    await db.$transaction((tx) => ensureRecipient(tx, accountId, recipient));
    subscriptions.set(recipient, await addSubscription(db, accountId, { recipient, receiverUrl }));
  }
  const { env } = context;
  const sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
  const client = createHttpClient({ allow: [] });
  const { mail: server, publicUrl } = env;
  const parts = { db: sql, sealer: testSealer, client, mail: server, publicUrl, version: "1" };
  return {
    accountId,
    context,
    fail: async (recipient: string, key: string) => {
      const subscriptionId = subscriptions.get(recipient) ?? "";
      const details = { kind: "subscription_failing", message: "It responded with 503" } as const;
      const problem = { accountId, subscriptionId, key, details, reason: "receiver_down" };
      await openProblem(db, { ...problem, kind: "subscription_failing", at: new Date() });
    },
    recover: (key: string, how?: "deleted") => resolveProblem(db, accountId, key, how),
    async tell() {
      await workAll(planAlertsJob(parts));
      await workAll(sendAlertsJob(parts));
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await sql.$disconnect();
    },
  };
}

const tokenIn = (text = "") => /\/portal\/emails\/(\w+)/.exec(text)?.[1] ?? "";

it("a mailbox that wants it gets one email when its receiver fails, and one when it works", async () => {
  await using mails = await startMailServer();
  await using bench = await openBench(mails.url);
  const { context, accountId, fail, recover, tell } = bench;
  await addRecipientEmail(context, { email: "ada@example.com" });
  expect(mails.mails).toMatchObject([{ to: ["ada@example.com"] }]);
  const token = tokenIn(mails.mails[0]?.text);
  await fail("cust_1", "early");
  await recover("early");
  await tell();
  expect(mails.mails).toHaveLength(1);

  expect(await readEmailLink(context, token)).toMatchObject({ isConfirmed: false });
  await confirmRecipientEmail(context, token);
  expect(await readEmailLink(context, token)).toMatchObject({ isConfirmed: true });
  await fail("cust_2", "other");
  for (let times = 0; times < 3; times += 1) {
    await fail("cust_1", "own");
    await tell();
  }
  await recover("own");
  await tell();
  await tell();
  const title = "Sends to hooks.example.com/in fail: the receiver is down or doesn't respond";
  const told = mails.mails.slice(1);
  expect(told.map(({ subject }) => subject?.replace(/^\[\w+\] /, ""))).toEqual([
    title,
    `Over: ${title}`,
  ]);
  for (const { text, to } of told) {
    expect(to).toEqual(["ada@example.com"]);
    expect(text).toContain(`/portal/emails/${token}`);
    expect(text).not.toMatch(/\/problems\/|cust_1|key=1/);
  }

  await fail("cust_1", "closed");
  await tell();
  await recover("closed", "deleted");
  await tell();
  expect(mails.mails).toHaveLength(4);
  await endRecipientEmail(context, token);
  await fail("cust_1", "late");
  await tell();
  expect(mails.mails).toHaveLength(4);
  expect(await readEmailLink(context, token)).toBeNull();
  const entries = await db.auditEntry.findMany({ where: { accountId }, orderBy: { seq: "asc" } });
  expect(entries.map(({ event, actorName }) => [event, actorName])).toEqual([
    ["recipient_email.added", expect.stringContaining("cust_1")],
    ["recipient_email.confirmed", "ada@example.com"],
    ["recipient_email.removed", "ada@example.com"],
  ]);
});

it("a mailbox gets at most 10 emails about failures a day", async () => {
  await using mails = await startMailServer();
  await using bench = await openBench(mails.url);
  await addRecipientEmail(bench.context, { email: "ada@example.com" });
  await confirmRecipientEmail(bench.context, tokenIn(mails.mails[0]?.text));
  for (let at = 0; at < 12; at += 1) await bench.fail("cust_1", `key ${at}`);
  await bench.tell();
  await bench.fail("cust_1", "one more");
  await bench.tell();
  expect(mails.mails).toHaveLength(1 + 10);
});

it("a link confirms for a day, and a mailbox gets few of them", async () => {
  await using mails = await startMailServer();
  await using bench = await openBench(mails.url);
  const { context, accountId } = bench;
  const email = `${accountId}@example.com`;
  await addRecipientEmail(context, { email });
  const token = tokenIn(mails.mails[0]?.text);
  await db.$executeRaw`
    update alert_channels set created_at = now() - interval '25 hours' where account_id = ${accountId}::uuid`;
  expect(await readEmailLink(context, token)).toBeNull();
  await expect(confirmRecipientEmail(context, token)).rejects.toMatchObject({ code: "not_found" });
  const asked = [];
  for (let times = 0; times < 20; times += 1)
    asked.push(await addRecipientEmail(context, { email }).catch(({ code }) => code));
  expect(asked[0]).toBeUndefined();
  expect(asked.at(-1)).toBe("rate_limited");
  expect(await readEmailLink(context, tokenIn(mails.mails.at(-1)?.text))).toMatchObject({ email });
  expect((await listChannels(db, accountId, { limit: 50 })).items).toEqual([]);
});

it("without a mail server no address can be added, and the portal says so", async () => {
  await using bench = await openBench();
  expect(await listRecipientEmails(bench.context, {})).toEqual({ sendsEmail: false, emails: [] });
  await expect(
    addRecipientEmail(bench.context, { email: "ada@example.com" }),
  ).rejects.toMatchObject({ code: "conflict" });
});
