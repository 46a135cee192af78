import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addErasureRule } from "#lib/db/testing/test-erasure-rule.ts";
import { addGap } from "#lib/db/testing/test-gap.ts";
import { addInvitation, addMember } from "#lib/db/testing/test-member.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { cancelRuns } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { request, type Thing } from "./api-rows.ts";
import { storeDelivery, type TestAccount, type TestApi } from "./test-api.ts";

/** One of each thing that a path of the API can name, by its id there. */
export async function createThings(
  api: Pick<TestApi, "db" | "call">,
  { id: accountId, token }: TestAccount,
): Promise<Record<Thing, string>> {
  const hook = (
    await api.call("POST", "/api/v1/hooks", { token, body: { name: "n", provider: "stripe" } })
  ).body.id;
  const action = (
    await api.call("POST", `/api/v1/hooks/${hook}/actions`, { token, body: { name: "n", request } })
  ).body.id;
  const saved = { name: "n", origin: "https://example.com" };
  const auth = { type: "bearer", token: "0123456789abcdef" };
  const credential = (
    await api.call("POST", "/api/v1/credentials", { token, body: { ...saved, auth } })
  ).body.id;
  const destination = (await api.call("POST", "/api/v1/destinations", { token, body: saved })).body
    .id;
  const delivery = await storeDelivery(api.db, accountId, hook);
  const run = (await readRuns(api.db, { deliveryId: delivery }))[0]?.id ?? "";
  const path = `/api/v1/actions/${action}/backtests`;
  const backtest = (await api.call("POST", path, { token, body: {} })).body.id;
  const job = (await cancelRuns(testContext(api.db, accountId), { filter: { status: "queued" } }))
    .id;
  const receiverUrl = "https://example.com/in";
  const subscription = (
    await api.call("POST", "/api/v1/subscriptions", {
      token,
      body: { receiverUrl, recipient: `of-${accountId}` },
    })
  ).body.id;
  const published = newEvent(accountId, { publicId: `evt_of_${accountId}`, type: "a.b" });
  await storeEvents(api.db, [published]);
  const eventType = `a.of-${accountId}`;
  await api.call("PUT", `/api/v1/event-types/${eventType}`, { token, body: {} });
  const savedView = (
    await api.call("POST", "/api/v1/saved-views", {
      token,
      body: { list: "runs", name: "mine", params: {} },
    })
  ).body.id;
  const listener = (
    await api.call("POST", "/api/v1/listeners", { token, body: { name: "n", host: "laptop" } })
  ).body.id;
  const erasure = (
    await api.call("POST", "/api/v1/erasures", { token, body: { values: ["jo@example.com"] } })
  ).body.id;
  const onCall = { name: "n", kind: "url", url: "https://example.com/alerts" };
  const alertChannel = (await api.call("POST", "/api/v1/alert-channels", { token, body: onCall }))
    .body.id;
  const alertRule = (
    await api.call("POST", "/api/v1/alert-rules", { token, body: { kind: "disk", channelIds: [] } })
  ).body.id;
  const others = {
    account: accountId,
    invitation: await addInvitation(api.db, accountId),
    member: await addMember(api.db, accountId, "member"),
    alertChannel,
    alertRule,
    problem: await addProblem(api.db, { accountId, hookId: hook }),
    savedView,
    erasure,
    erasureRule: await addErasureRule(api.db, accountId),
    listener,
    credential,
    destination,
    subscription,
    event: published.publicId,
    recipient: `of-${accountId}`,
    eventType,
  };
  const gap = await addGap(api.db, accountId, hook);
  return { hook, action, delivery, run, job, backtest, gap, ...others };
}
