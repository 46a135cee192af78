import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { checkChallenge } from "./subscription-status.ts";
import { createSubscription } from "./write-subscriptions.ts";

const api = withApi();
let server: Server;
let calls = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === "POST") calls += 1;
    const challenge = String(request.headers["webhook-challenge"]);
    request.resume().on("end", () => response.setHeader("webhook-challenge", challenge).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Creates a subscription as a person in the portal does. */
async function add(recipient: string, accountId = api.account.id, receiverUrl = ownUrl()) {
  return (await create(recipient, accountId, receiverUrl)).subscription;
}

async function create(recipient: string, accountId = api.account.id, receiverUrl = ownUrl()) {
  const capabilities = portalCapabilities;
  const actor = { type: "portal", accountId, recipient, capabilities } as const;
  const variables = { CATCHMENT_PORTAL_EGRESS_ALLOW: "127.0.0.1/32" };
  const context = testContext(api.db, accountId, { actor, variables });
  return await createSubscription(context, { receiverUrl });
}

function ownUrl(): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

it("says the same about a closed port, an open one, its response, and a host that isn't allowed", async () => {
  const open = createServer((_request, response) => response.writeHead(500).end("internal data"));
  await new Promise<void>((resolve) => open.listen(0, "127.0.0.1", resolve));
  const { port } = open.address() as AddressInfo;
  const { id } = await api.createAccount("prober");
  const ask = async (url: string) => (await add("prober", id, url)).statusReason;
  const reasons = [await ask(`http://127.0.0.1:${port}/`)];
  await new Promise((resolve) => open.close(resolve));
  // Nothing listens there now. `localhost` may also be ::1, which is not allowed.
  reasons.push(await ask(`http://127.0.0.1:${port}/`), await ask(`http://localhost:${port}/`));
  reasons.push(await ask("http://no-such-host.invalid/"));
  expect(new Set(reasons.map((reason) => JSON.stringify(reason))).size).toBe(1);
  expect(reasons[0]?.detail).toMatch(/^The receiver URL didn't answer the challenge/);
});

it("one recipient can't have us call any number of URLs, and others don't notice", {
  tags: "variant",
}, async () => {
  for (let number = 0; number < 20; number += 1) expect((await add("one")).status).toBe("active");
  const waiting = await add("one");
  expect(waiting).toMatchObject({
    status: "pending",
    statusReason: { code: "challenge", detail: expect.stringContaining("Too many receiver URLs") },
  });
  expect(calls).toBe(20);
  await expect(checkChallenge(api.context, waiting)).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(/this recipient.* Try again in (?:a second|\d+ seconds)\.$/),
    headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
  });
  expect((await getSubscription(api.db, api.account.id, waiting.id)).status).toBe("pending");
  const otherAccount = await api.createAccount("other");
  expect([(await add("two")).status, (await add("one", otherAccount.id)).status]).toEqual([
    "active",
    "active",
  ]);
});

it("an account can't either, whatever its recipients", { tags: "variant" }, async () => {
  const { id } = await api.createAccount("many");
  const statuses: string[] = [];
  // A few run at once: one by one, on a busy machine, the account's limit fills up again meanwhile.
  for (let batch = 0; batch < 18; batch += 1) {
    const adds = Array.from({ length: 10 }, (_, number) => add(`r${number}`, id));
    statuses.push(...(await Promise.all(adds)).map(({ status }) => status));
  }
  const active = statuses.filter((status) => status === "active").length;
  // A few more are asked meanwhile.
  expect(active).toBeGreaterThanOrEqual(100);
  expect(statuses).toContain("pending");
});

it("a new subscription's secret is shown even if the outcome of its challenge can't be stored", async () => {
  await api.db.$executeRaw`
    create function fail_update() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`;
  await api.db.$executeRaw`
    create trigger fail_update before update on subscriptions for each row
    when (new.recipient = 'unlucky' and new.status <> old.status) execute function fail_update()`;
  const { subscription, secret } = await create("unlucky");
  expect(secret).toMatch(/^whsec_/);
  expect(subscription).toMatchObject({ status: "pending", statusReason: { code: "challenge" } });
});
