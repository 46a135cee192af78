import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readAlertProblems } from "#lib/db/alerts/send-queue.ts";
import { recordOutage } from "#lib/db/problems/outages.ts";
import { openProblem } from "#lib/db/problems/record-problems.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readProblemList, readProblemPage } from "./read-problems.ts";

const api = withApi();

it("a problem of sends names the recipient in the list and in messages, or its id without a name", async () => {
  await api.send("PUT", "/recipients/cust_1", { name: "Globex" });
  const accountId = api.account.id;
  for (const recipient of ["cust_1", "cust_2", null]) {
    const fields = { receiverUrl: "https://hooks.example.com/in", eventTypes: ["*"], recipient };
    const { body } = await api.send("POST", "/subscriptions", fields);
    const details = { kind: "subscription_failing", message: "It responded with 503" } as const;
    await openProblem(api.db, {
      ...{ accountId, subscriptionId: body.id, kind: details.kind, details, reason: "status_503" },
      ...{ key: `send:${body.id}`, at: new Date() },
    });
  }
  const { problems } = await readProblemList(testContext(api.db, accountId), {});
  const end = "fail: the receiver responds with 503";
  expect(problems.map(({ title }) => title)).toEqual([
    `Sends to hooks.example.com/in ${end}`,
    `Sends to cust_2 (hooks.example.com/in) ${end}`,
    `Sends to Globex (hooks.example.com/in) ${end}`,
  ]);
  const problemId = problems[2]?.id ?? "";
  expect(await readAlertProblems(api.db, { id: newId(), problemId })).toMatchObject([
    { recipient: "Globex", receiverUrl: "https://hooks.example.com/in" },
  ]);
});

it("a problem of a hook offers the search for what it missed, if its provider lists events", async () => {
  const accountId = api.account.id;
  const context = testContext(api.db, accountId);
  const read = async (provider: string) => {
    const { id: hookId } = await api.createHook({ provider, signingSecret: "whsec_0123456789" });
    const { missed, problem } = await readProblemPage(
      context,
      await addProblem(api.db, { accountId, hookId }),
    );
    return { missed, hookId, firstMs: problem.firstAt.getTime() };
  };
  const { missed, hookId, firstMs } = await read("stripe");
  const from = new Date(firstMs - 3_600_000).toISOString().slice(0, 16);
  expect(missed).toEqual([
    {
      name: "Stripe",
      hookName: null,
      href: `/hooks/${hookId}/backfill?${new URLSearchParams({ from })}`,
    },
  ]);
  expect(await read("shopify")).toMatchObject({ missed: [] });
});

it("an outage offers the search of every hook whose provider lists events, with its time", async () => {
  const account = await api.createAccount("after-outage");
  const context = testContext(api.db, account.id);
  const signed = { signingSecret: "whsec_0123456789" };
  const make = (fields: object) => api.createHook({ ...fields, ...signed }, account.token);
  const shop = await make({ name: "Shop", provider: "stripe" });
  await make({ name: "Store", provider: "shopify" });
  await make({ name: "Own rule", provider: "stripe", dedupe: { from: "content" } });
  const minuteMs = 60_000;
  const untilMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const outage = { fromMs: untilMs - 7 * minuteMs, untilMs, deliveries: 0 };
  await recordOutage(api.db, outage);
  const found = await api.db.problem.findFirstOrThrow({
    where: { accountId: account.id, kind: "database" },
  });
  const { missed } = await readProblemPage(context, found.id);
  const toMinute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  const from = toMinute(outage.fromMs - 60 * minuteMs);
  const span = new URLSearchParams({ from, to: toMinute(untilMs + 60 * minuteMs) });
  expect(missed).toEqual([
    { name: "Stripe", hookName: "Shop", href: `/hooks/${shop.id}/backfill?${span}` },
  ]);
});
