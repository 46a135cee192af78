import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { changeRule, listRules } from "#lib/db/alerts/rules.ts";
import { openProblem, recordProblems, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { takeTurn } from "#lib/jobs/run-jobs.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import type { ChannelInput } from "#lib/schema/watch/alert.ts";
import { createChannel } from "#lib/services/alerts/alert-channels.ts";
import { acknowledgeProblem } from "#lib/services/problems.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { planAlertsJob, releaseAlertsJob, remindJob, sendAlertsJob } from "./alerts.ts";
import { problemJobs } from "./find-problems.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyTables(db, "accounts", "runs");
  await db.$executeRaw`update problem_scans set scanned_until = now() - interval '1 second'`;
});

const never = new AbortController().signal;

/** A worker's jobs, each until it has nothing left to do. */
function startTurns(smtpUrl?: string) {
  const variables = {
    CATCHMENT_PUBLIC_URL: "https://hooks.example.test",
    CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    ...(smtpUrl === undefined
      ? {}
      : { SMTP_URL: smtpUrl, CATCHMENT_MAIL_FROM: "catchment@example.com" }),
  };
  const { publicUrl, mail, egressAllow } = testContext(db, newId(), { variables }).env;
  const client = createHttpClient({ allow: egressAllow });
  onTestFinished(() => client.close());
  const parts = { db, sealer: testSealer, client, mail, publicUrl, version: "1" };
  const alerts = [planAlertsJob, releaseAlertsJob, remindJob, sendAlertsJob].map((job) =>
    job(parts),
  );
  return {
    addChannel: (accountId: string, input: ChannelInput) =>
      createChannel(testContext(db, accountId, { variables }), input),
    async look() {
      await db.$queryRaw`select 1 from pg_sleep(0.02)`;
      const pauses = { settleMs: 0, runsSettleMs: 0, quietMs: 0 };
      await takeTurn({ jobs: problemJobs(db, pauses) }, 0, never);
      await takeTurn({ jobs: alerts }, 0, never);
      // Sends the alerts that a job released after its turn.
      await takeTurn({ jobs: alerts }, 0, never);
    },
  };
}

const readAlerts = () =>
  db.alert.findMany({ orderBy: { id: "asc" }, include: { attempts: true, channel: true } });

it("10,000 failures are one message, and so is their end", { tags: "variant" }, async () => {
  await using mails = await startMailServer();
  await using slack = await startReceiver((response) => response.end("ok"));
  const { addChannel, look } = startTurns(mails.url);
  const target = await queue.addActionQueue();
  const { accountId, hookId, targetId } = target;
  await addChannel(accountId, { name: "Mail", kind: "email", to: "ada@example.com" });
  const chat = { name: "Chat", kind: "slack", url: `${slack.url}/services/T0/B0/x` } as const;
  const { channel } = await addChannel(accountId, chat);
  for (const { id, channelIds } of (await listRules(db, accountId, { limit: 50 })).items)
    await db.$transaction((tx) => changeRule(tx, id, { channelIds: [...channelIds, channel.id] }));

  const fail = (count: number) => db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, finished_at, attempt_count, state, reason_code, reason_detail, response)
    select uuid_v7_at(clock_timestamp()), ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid, now(), 1, 'failed', 'not_retried',
      'The receiver responded with 503', '{"status":503}' from generate_series(1, ${count}::int)`;
  await fail(2);
  await look();
  expect([mails.mails.length, slack.calls.length]).toEqual([0, 0]);
  await fail(4_998);
  await look();
  await fail(5_000);
  await look();
  const problem = await db.problem.findFirstOrThrow();
  expect(problem.count).toBe(10_000n);
  expect(mails.mails).toMatchObject([
    {
      to: ["ada@example.com"],
      subject: "[An account] An action fails: the receiver is down or doesn't respond",
      text: expect.stringContaining(`https://hooks.example.test/problems/${problem.id}`),
    },
  ]);
  expect(slack.calls).toHaveLength(1);
  expect(JSON.parse(slack.calls[0]?.body ?? "")).toMatchObject({
    text: "🔴 An action fails: the receiver is down or doesn't respond",
    blocks: [{ type: "header" }, { type: "section" }, { type: "section" }, { type: "actions" }, {}],
  });

  await addRun(db, { accountId, targetId, hookId, state: "succeeded" });
  await look();
  await look();
  expect(mails.mails.map(({ subject }) => subject)).toEqual([
    "[An account] An action fails: the receiver is down or doesn't respond",
    "[An account] Over: An action fails: the receiver is down or doesn't respond",
  ]);
  expect(slack.calls).toHaveLength(2);
  const ids = mails.mails.map(
    ({ headers }) => headers.find(({ key }) => key === "message-id")?.value,
  );
  expect(new Set(ids).size).toBe(2);
});

it("failures that are over before anyone looked, as after an outage of all workers, are told", async () => {
  await using chat = await startReceiver((response) => response.end("ok"));
  const { addChannel, look } = startTurns();
  const { accountId, hookId, targetId } = await queue.addActionQueue();
  await addChannel(accountId, { name: "Chat", kind: "slack", url: chat.url });
  for (let count = 0; count < 3; count += 1)
    await addRun(db, {
      accountId,
      targetId,
      hookId,
      state: "failed",
      reasonCode: "mapping_failed",
    });
  // Times have milliseconds, and the success has to be later.
  await db.$executeRaw`update runs set finished_at = finished_at - interval '10 ms'`;
  await addRun(db, { accountId, targetId, hookId, state: "succeeded" });
  await look();
  await look();
  expect(chat.calls.map(({ body }) => JSON.parse(body ?? "").text)).toEqual([
    "🔴 An action fails: the request can't be built",
    "🟢 Over: An action fails: the request can't be built",
  ]);
});

it("PagerDuty gets one incident that is acknowledged and resolved, and a URL gets signed events", async () => {
  await using pager = await startReceiver((response) => response.writeHead(202).end("{}"));
  await using own = await startReceiver((response) => response.end());
  const { addChannel, look } = startTurns();
  const { accountId, hookId } = await queue.addActionQueue();
  const routingKey = "0123456789abcdef0123456789abcdef";
  const first = { name: "Pager", kind: "pagerduty", routingKey, url: pager.url } as const;
  const { channel } = await addChannel(accountId, first);
  const { channel: other, secret } = await addChannel(accountId, {
    name: "Own",
    kind: "url",
    url: own.url,
  });
  for (const { id } of (await listRules(db, accountId, { limit: 50 })).items)
    await db.$transaction((tx) =>
      changeRule(tx, id, { channelIds: [channel.id, other.id], remindMinutes: 5 }),
    );
  const details = {
    kind: "silence" as const,
    message: "Usually 40 an hour.",
    usualPerHour: 40,
    earlierWeeks: [],
    expectEveryMinutes: null,
    silentSince: null,
    lastDeliveryAt: null,
    isOnlyRejected: false,
    rejectedCount: 0,
  };
  const key = `silence:${hookId}`;
  await openProblem(db, { accountId, hookId, kind: "silence", key, details, at: new Date() });
  await look();
  const { id } = await db.problem.findFirstOrThrow();
  const remind = async () => {
    await db.$executeRaw`update alerts set ended_at = ended_at - interval '6 minutes'`;
    await look();
  };
  await remind();
  await acknowledgeProblem(testContext(db, accountId), { id });
  await remind();
  await look();
  await resolveProblem(db, accountId, key);
  await look();
  const sent = pager.calls.map(({ body }) => JSON.parse(body ?? ""));
  expect(sent.map(({ event_action }) => event_action)).toEqual([
    "trigger",
    "acknowledge",
    "resolve",
  ]);
  expect(new Set(sent.map(({ dedup_key }) => dedup_key))).toEqual(new Set([`catchment-${id}`]));
  expect(own.calls.map(({ body }) => JSON.parse(body ?? "").type)).toEqual([
    "problem.opened",
    "problem.reminder",
    "problem.resolved",
  ]);
  for (const { body, headers } of own.calls)
    expect(() =>
      new Webhook(secret ?? "").verify(body ?? "", headers as Record<string, string>),
    ).not.toThrow();
});

it("quiet hours hold messages, and what ended within them is told once, in a digest", async () => {
  await using chat = await startReceiver((response) => response.writeHead(204).end());
  const { addChannel, look } = startTurns();
  const { accountId, hookId } = await queue.addActionQueue();
  const { channel } = await addChannel(accountId, { name: "Chat", kind: "discord", url: chat.url });
  const hour = new Date().getUTCHours();
  const clock = (offset: number) => `${String((hour + offset + 24) % 24).padStart(2, "0")}:00`;
  const quietHours = { from: clock(-1), to: clock(3), timeZone: "UTC", weekends: false };
  for (const { id } of (await listRules(db, accountId, { limit: 50 })).items)
    await db.$transaction((tx) => changeRule(tx, id, { quietHours }));
  const open = (key: string) =>
    openProblem(db, {
      ...{ accountId, hookId, kind: "shape", key, at: new Date() },
      details: { kind: "shape", eventType: key, changes: [], actions: [] },
    });
  await open("over.1");
  await open("over.2");
  await open("still.open");
  await look();
  await resolveProblem(db, accountId, "over.1");
  await resolveProblem(db, accountId, "over.2");
  await look();
  expect(chat.calls).toEqual([]);
  const held = await readAlerts();
  expect(held.map(({ state }) => state)).toEqual(Array(5).fill("held"));
  expect(new Set(held.map(({ dueAt }) => dueAt.toISOString().slice(11, 16)))).toEqual(
    new Set([clock(3)]),
  );

  await db.$executeRaw`update alerts set due_at = now() - interval '1 ms'`;
  await look();
  await look();
  const titles = chat.calls.map(({ body }) => JSON.parse(body ?? "").embeds[0].title);
  expect(titles.toSorted()).toEqual([
    "2 problems, all over",
    expect.stringContaining("still.open"),
  ]);
  expect(
    (await readAlerts())
      .filter(({ channelId }) => channelId === channel.id)
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(["digested", "digested", "digested", "digested", "sent", "sent"]);
});

it("a channel that is down gets its message once it is back, and one that rejects it isn't asked again", async () => {
  let status = 503;
  await using chat = await startReceiver((response) => response.writeHead(status).end());
  const { addChannel, look } = startTurns();
  const { accountId, hookId } = await queue.addActionQueue();
  await addChannel(accountId, { name: "Chat", kind: "teams", url: chat.url });
  const problem = {
    accountId,
    hookId,
    kind: "shape",
    firstAtMs: Date.now(),
    lastAtMs: Date.now(),
    count: 1,
  } as const;
  const details = { kind: "shape" as const, eventType: "a.b", changes: [], actions: [] };
  await recordProblems(db, [{ ...problem, key: "a", details }]);
  await look();
  const retry = () => db.$executeRaw`update alerts set due_at = now() - interval '1 ms'`;
  status = 200;
  await retry();
  await look();
  expect(await readAlerts()).toMatchObject([
    {
      state: "sent",
      attempts: [{ isSent: false, message: "The receiver responded with 503." }, { isSent: true }],
    },
  ]);
  status = 404;
  await recordProblems(db, [{ ...problem, key: "b", details }]);
  await look();
  await retry();
  await look();
  expect((await readAlerts())[1]).toMatchObject({ state: "failed", attempts: [{ isSent: false }] });
  expect(chat.calls).toHaveLength(3);
});

it("a channel that only reminders have reached hears that the problem is over", async () => {
  await using chat = await startReceiver((response) =>
    response.writeHead(chat.calls.length === 1 ? 400 : 200).end(),
  );
  const { addChannel, look } = startTurns();
  const { accountId, hookId } = await queue.addActionQueue();
  await addChannel(accountId, { name: "Chat", kind: "slack", url: chat.url });
  await db.alertRule.updateMany({ data: { threshold: 1, remindMinutes: 5 } });
  const problem = { accountId, hookId, kind: "rejected", key: "r", at: new Date() } as const;
  await openProblem(db, { ...problem, details: { kind: "rejected", message: null } });
  await look();
  await db.$executeRaw`update alerts set ended_at = ended_at - interval '6 minutes'`;
  await look();
  await resolveProblem(db, accountId, "r");
  await look();
  const told = (await readAlerts()).map(({ event, state }) => `${event} ${state}`);
  expect(told).toEqual(["opened failed", "reminder sent", "resolved sent"]);
});
