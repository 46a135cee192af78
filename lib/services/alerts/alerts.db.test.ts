import { expect, it } from "vitest";
import { openSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import { getChannel } from "#lib/db/alerts/channels.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { serveHttp } from "#lib/net/testing/test-servers.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import { acknowledgeProblem, resolveProblem } from "#lib/services/problems.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { createChannel, deleteChannel, testChannel, updateChannel } from "./alert-channels.ts";
import { createRule, deleteRule, updateRule } from "./alert-rules.ts";
import { listRules } from "./read-alerts.ts";

const { db } = withDatabase();

it("the audit log has every change of channels, rules, and problems, and no URL or key", async () => {
  let calls = 0;
  await using chat = await serveHttp((_request, response) => {
    calls += 1;
    response.end("ok");
  });
  const { accountId, id: hookId } = await addHook(db);
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, accountId, { variables });
  const url = `http://127.0.0.1:${chat.port}/services/nobody-may-read-this`;
  const { channel } = await createChannel(context, { name: "Chat", kind: "slack", url });
  await updateChannel(context, { id: channel.id, name: "Team chat" });
  await updateChannel(context, { id: channel.id, url: `${url}-either` });
  expect(await testChannel(context, { id: channel.id })).toMatchObject({ ok: true });
  expect(calls).toBe(1);
  const rule = await createRule(context, { kind: "rejected", channelIds: [channel.id] });
  await updateRule(context, { id: rule.id, threshold: 7, remindMinutes: 30 });
  await deleteRule(context, { id: rule.id });
  await deleteChannel(context, { id: channel.id });
  const id = await addProblem(db, { accountId, hookId });
  await acknowledgeProblem(context, { id });
  await acknowledgeProblem(context, { id });
  await resolveProblem(context, { id });

  const entries = await db.auditEntry.findMany({
    where: { accountId, NOT: { event: { startsWith: "hook." } } },
    orderBy: { seq: "asc" },
  });
  expect(entries.map(({ event, targetIds, changes }) => [event, targetIds, changes])).toEqual([
    ["alert_channel.created", [channel.id], null],
    ["alert_channel.updated", [channel.id], [{ path: "name", before: "Chat", after: "Team chat" }]],
    ["alert_channel.secrets_replaced", [channel.id], null],
    ["alert_channel.tested", [channel.id], null],
    ["alert_rule.created", [rule.id], null],
    [
      "alert_rule.updated",
      [rule.id],
      expect.arrayContaining([
        { path: "threshold", before: 1, after: 7 },
        { path: "remindMinutes", before: null, after: 30 },
      ]),
    ],
    ["alert_rule.deleted", [rule.id], null],
    ["alert_channel.deleted", [channel.id], null],
    ["problem.acknowledged", [id], null],
    ["problem.resolved", [id], null],
  ]);
  const text = JSON.stringify(entries, (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(text).not.toContain("nobody-may-read-this");
});

it("the key of PagerDuty only goes to the server that it was entered for", async () => {
  const { accountId } = await addHook(db);
  const context = testContext(db, accountId);
  const routingKey = "0123456789abcdef0123456789abcdef";
  const { channel } = await createChannel(context, {
    name: "On call",
    kind: "pagerduty",
    routingKey,
  });
  const { id } = channel;
  const elsewhere = "https://collector.example.com/v2/enqueue";
  await expect(updateChannel(context, { id, url: elsewhere })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ path: "routingKey", code: "required" }],
  });
  const sameServer = "https://events.pagerduty.com/v2/enqueue?x=1";
  expect(await updateChannel(context, { id, url: sameServer })).toMatchObject({ id });
  expect(await updateChannel(context, { id, url: elsewhere, routingKey })).toMatchObject({
    target: "collector.example.com",
  });
});

it("two changes at once leave the URL that is shown, and the newest key", async () => {
  const { accountId } = await addHook(db);
  const context = testContext(db, accountId);
  const [first, second, third] = ["0".repeat(32), "1".repeat(32), "2".repeat(32)];
  const input = { name: "On call", kind: "pagerduty", routingKey: first } as const;
  const { id } = (await createChannel(context, input)).channel;
  const url = "https://collector.example.com/v2/enqueue";
  const changes: Promise<unknown>[] = [];
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`update alert_channels set name = name where id = ${id}::uuid`;
    for (const patch of [{ url, routingKey: second }, { routingKey: third }]) {
      changes.push(updateChannel(context, { id, ...patch }));
      await expect.poll(() => countWaiting(db)).toBe(changes.length);
    }
  });
  await Promise.all(changes);
  const { target, ciphertext } = await getChannel(db, accountId, id);
  if (ciphertext === null) throw new Error("PagerDuty has a key");
  const secrets = openSecrets(context.sealer, { id, accountId, ciphertext });
  expect({ target, secrets }).toEqual({
    target: "collector.example.com",
    secrets: { url, routingKey: third },
  });
});

it("a new channel is told what is asked for: by the rules that there are, or by usual ones", async () => {
  const { accountId } = await addHook(db);
  const context = testContext(db, accountId);
  const add = async (name: string, problems?: ProblemKind[]) => {
    const input = { name, kind: "slack" as const, url: `https://example.com/${name}` };
    const { channel } = await createChannel(context, { ...input, ...(problems && { problems }) });
    return channel.id;
  };
  const first = await add("first", ["silence", "disk"]);
  const rules = async () => {
    const { items } = await listRules(context, {});
    return Object.fromEntries(
      items.map(({ kind, enabled, channelIds }) => [`${kind} ${enabled}`, channelIds]),
    );
  };
  expect(await rules()).toEqual({ "silence true": [first], "disk true": [first] });
  await add("quiet");
  const second = await add("second", ["disk", "rejected"]);
  expect(await rules()).toEqual({
    "silence true": [first],
    "disk true": [first, second],
    "rejected true": [second],
  });
  const [disk] = (await listRules(context, {})).items.filter(({ kind }) => kind === "disk");
  await updateRule(context, { id: disk?.id ?? "", enabled: false });
  const third = await add("third", ["disk"]);
  expect(await rules()).toEqual({
    "silence true": [first],
    "disk false": [first, second],
    "disk true": [third],
    "rejected true": [second],
  });
});
