import { beforeEach, expect, it } from "vitest";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { github, gitlab, shopify, stripe } from "./testing/examples.ts";
import { startFakeGraph } from "./testing/fake-graph.ts";
import {
  startFakeGithub,
  startFakeGitlab,
  startFakeShopify,
  startFakeStripe,
} from "./testing/fake-registrars.ts";
import type { FakeProvider, FakeRequest } from "./testing/fake-webhooks.ts";
import { graph, moreProviders } from "./testing/more-examples.ts";
import { setUpRegistration, withoutMark } from "./testing/set-up.ts";

const { db } = withDatabase();
const newClient = withClients();
beforeEach(() => db.registration.deleteMany());

const cases = [
  { ...stripe, at: 1, start: () => startFakeStripe() },
  { ...gitlab, at: 1, start: startFakeGitlab },
  // One subscription for each type.
  { ...shopify, at: 2, start: startFakeShopify },
] as const;
const moreCases = [
  { ...github, at: 1, start: () => startFakeGithub() },
  { ...graph, at: 1, start: () => startFakeGraph(Date.now()) },
  ...moreProviders.map((given) => ({ ...given, at: given.provider === "woocommerce" ? 2 : 1 })),
] as const;
type Case = (typeof cases)[number] | (typeof moreCases)[number];

const isWrite = ({ method, text }: FakeRequest) =>
  method !== "GET" && !text.includes("webhookSubscriptions(");

/** Cuts the connection at a write, counted from 1. What it wrote is listed a minute later. */
function cutAt(fake: FakeProvider, at: number) {
  let writes = 0;
  const before = new Set(fake.webhooks);
  fake.isCut = (request) => {
    if (isWrite(request)) writes += 1;
    const isCut = isWrite(request) && writes === at;
    if (isCut) {
      const known = new Set([...before, ...fake.webhooks.slice(0, at - 1)]);
      fake.isListed = (webhook) => known.has(webhook);
    }
    return isCut;
  };
  return () => writes >= at;
}

async function expectOne({ at, ...given }: Case): Promise<void> {
  await using fake = await given.start();
  const set = await setUpRegistration(db, newClient, fake, given);
  const isCut = cutAt(fake, at);
  await set.register();
  expect(await set.look(0)).toMatchObject({ status: "connecting" });
  expect(isCut()).toBe(true);
  await set.look(1);
  fake.isListed = () => true;
  await set.look(1);
  expect(await set.look()).toMatchObject({ status: "registered", reason: null });
  const types = fake.webhooks.flatMap(({ eventTypes }) => eventTypes);
  expect(types).toHaveLength(given.eventTypes.length);
  const known = openSecrets(set.hook.accountId, await set.secrets(), testSealer);
  for (const { url, secret } of fake.webhooks) {
    expect(withoutMark(url)).toBe(set.url);
    if (given.provider !== "shopify") expect(known).toContain(secret);
  }
}

const title = "$provider: a creation that was cut, and is listed late, is made once";
it.each(cases)(title, expectOne);
it.each(moreCases)(title, { tags: "variant" }, expectOne);

it.each([1, 2])(
  "Microsoft Graph: cut at write %i of a replacement, one is left",
  {
    tags: "variant",
  },
  async (at) => {
    await using fake = await startFakeGraph(Date.now());
    const set = await setUpRegistration(db, newClient, fake, graph);
    await set.register();
    await set.look(0);
    const isCut = cutAt(fake, at);
    await set.register({ eventTypes: ["created", "deleted"] });
    await set.look(0);
    fake.isListed = () => true;
    expect(isCut()).toBe(true);
    await set.look();
    await set.look();
    expect(fake.webhooks).toMatchObject([{ url: set.url, eventTypes: ["created", "deleted"] }]);
  },
);
