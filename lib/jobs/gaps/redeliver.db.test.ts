import { describe, expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { findGap, getGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workOnce } from "../testing/work.ts";
import { createFetchedEvaluation } from "./evaluate-fetched.ts";
import { findGapJob } from "./find-gap.ts";
import { takeInJob } from "./take-in.ts";
import { type Sent, startFakeGithub, startFakeGitlab } from "./testing/fake-redeliverers.ts";

const { db } = withDatabase();
const newClient = withClients();

const providers = [
  {
    provider: "github",
    start: startFakeGithub,
    token: "github_pat_1",
    webhook: "https://github.com/acme/shop/settings/hooks/12",
    perMinute: 30,
    toHeaders: ({ guid, event }: Sent) => [
      ["X-GitHub-Delivery", guid],
      ["X-GitHub-Event", event],
    ],
  },
  {
    provider: "gitlab",
    start: startFakeGitlab,
    token: "glpat-1",
    webhook: "https://gitlab.com/acme/shop/-/hooks/7/edit",
    perMinute: 5,
    toHeaders: ({ guid, event }: Sent) => [
      ["Idempotency-Key", guid],
      ["X-Gitlab-Event", event],
    ],
  },
] as const;

type Provider = (typeof providers)[number];

async function setUp(each: Provider, sent: readonly Sent[]) {
  const fake = await each.start(sent);
  const hook = await addHook(db, { provider: each.provider, signingSecret: "a-long-secret" });
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, hook.accountId, { variables });
  const auth = { type: "bearer" as const, token: each.token };
  const { id: credentialId } = await createCredential(context, {
    ...{ name: "token", origin: fake.origin, auth },
  });
  const { client } = newClient("127.0.0.0/8");
  const options = { db, sealer: testSealer, client, publicOrigin: "https://hooks.example.test" };
  const [find, takeIn] = [findGapJob(options, 0), takeInJob(options)];
  return {
    ...{ fake, hook, context },
    async receive(arrived: readonly Sent[]): Promise<void> {
      const stored = await findAcceptingHook(db, hook.accountId, hook.id);
      if (stored === null) throw new Error("The hook is gone");
      const parts = { sealer: testSealer, createEventCheck: () => async () => [] };
      const evaluate = await createFetchedEvaluation(db, stored, parts);
      for (const one of arrived) {
        const headers = each.toHeaders(one) as [string, string][];
        const body = Buffer.from(JSON.stringify({ of: one.guid, text: "as it was sent" }));
        const delivery = await evaluate({ body, host: "", headers });
        if (delivery !== null) await storeDeliveries(db, [delivery]);
      }
    },
    async search(webhook: string | undefined = each.webhook): Promise<string> {
      const from = new Date(Date.now() - 2 * 86_400_000).toISOString();
      const asked = { id: hook.id, from, credentialId, ...(webhook && { webhook }) };
      const { id: gapId } = await findGap(context, asked);
      while ((await db.gap.findUniqueOrThrow({ where: { id: gapId } })).finishedAt === null) {
        await db.$executeRaw`update gaps set next_at = null`;
        await workOnce(find);
      }
      return gapId;
    },
    /** As if minutes passed between two batches. */
    async askAgain(gapId: string): Promise<void> {
      const { id } = await takeInGap(context, { id: hook.id, gapId, run: true });
      const isOpen = async () =>
        (await db.bulkJob.findUniqueOrThrow({ where: { id } })).status === "running";
      while (await isOpen()) {
        await db.$executeRaw`update bulk_jobs set next_at = null where id = ${id}::uuid`;
        await workOnce(takeIn);
      }
    },
    read: (gapId: string) => getGap(context, { id: hook.id, gapId }),
  };
}

const hourMs = 3_600_000;

/** 250 of two days, every 50th lost, and one of them with a second try that failed, too. */
function addSent(): { readonly sent: Sent[]; readonly lost: Sent[] } {
  const events = Array.from({ length: 250 }, (_, at) => ({
    guid: `0b989ba4-242f-11e5-81e1-${String(at).padStart(12, "0")}`,
    event: "push",
    atMs: Date.now() - 2 * hourMs - at * 600_000,
    status: at % 50 === 7 ? 502 : 200,
  }));
  const lost = events.filter(({ status }) => status !== 200);
  const repeats = lost
    .slice(0, 1)
    .map((one) => ({ ...one, atMs: one.atMs + 1_000, isRepeat: true }));
  return { sent: [...events, ...repeats], lost };
}

describe.each(providers)("$provider", (each) => {
  it("is asked once to send again what never arrived, which then comes as it was sent", async () => {
    const { sent, lost } = addSent();
    const place = await setUp(each, sent);
    await using fake = place.fake;
    const { receive, search, askAgain, read, hook } = place;
    await receive(sent.filter(({ status }) => status === 200));
    const gapId = await search();
    expect(await read(gapId)).toMatchObject({
      ...{ status: "found", reason: null, eventCount: 250, missingCount: 5, cameCount: 0 },
    });
    // One came late, and isn't asked for.
    const [late, ...others] = lost.toReversed();
    await receive(late === undefined ? [] : [late]);
    if (each.perMinute < others.length) others.length = each.perMinute;
    await askAgain(gapId);
    expect(fake.asked.toSorted()).toEqual(others.map(({ guid }) => guid).toSorted());
    expect(await read(gapId)).toMatchObject({ takenCount: 4, repeatedCount: 1, cameCount: 0 });
    await receive(others);
    expect(await read(gapId)).toMatchObject({ cameCount: 4 });
    const deliveries = await readDeliveries(db, hook);
    expect(deliveries.filter(({ status }) => status === "accepted")).toHaveLength(250);
    const again = await search(undefined);
    expect(await read(again)).toMatchObject({
      missingCount: 0,
      webhook: expect.stringMatching(/^\//),
    });
  });

  it("says in one sentence why it isn't asked", async () => {
    const place = await setUp(each, addSent().sent);
    await using fake = place.fake;
    const { search, read, context, hook } = place;
    fake.failing = { left: 2, status: 429, headers: { "retry-after": "0" } };
    expect(await read(await search())).toMatchObject({ status: "found", eventCount: 250 });
    fake.failing = { left: 1, status: 404, headers: {} };
    expect((await read(await search())).reason).toContain("knows no such list (404)");
    await expect(search("https://example.com/hooks/1")).rejects.toMatchObject({
      errors: [{ path: "webhook" }],
    });
    const gapId = await search();
    await expect(takeInGap(context, { id: hook.id, gapId, run: false })).rejects.toMatchObject({
      errors: [{ path: "run" }],
    });
  });
});
