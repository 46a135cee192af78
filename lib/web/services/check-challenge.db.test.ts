import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSubscription, getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { subscriptionInputSchema } from "#lib/schema/sender/subscription.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { challengeNewUrl, checkChallenge } from "./check-challenge.ts";

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

/** As its people make one in the portal. */
async function add(recipient: string, accountId = api.account.id) {
  const { sealer, env } = api.context;
  const { port } = server.address() as AddressInfo;
  const input = subscriptionInputSchema.parse({
    receiverUrl: `http://127.0.0.1:${port}`,
    recipient,
  });
  const rules = { sealer, allowList: env.egressAllow, isPortal: true };
  const { subscription } = await createSubscription(api.db, accountId, input, rules);
  return await challengeNewUrl(api.context, subscription);
}

it("one recipient can't have us call any number of URLs, and others don't notice", async () => {
  for (let number = 0; number < 20; number += 1) expect((await add("one")).status).toBe("active");
  const waiting = await add("one");
  expect(waiting).toMatchObject({
    status: "pending",
    statusReason: { code: "challenge", detail: expect.stringContaining("Too many receiver URLs") },
  });
  expect(calls).toBe(20);
  await expect(checkChallenge(api.context, waiting)).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("this recipient"),
    headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
  });
  expect((await getSubscription(api.db, api.account.id, waiting.id)).status).toBe("pending");
  const stranger = await api.createAccount("stranger");
  expect([(await add("two")).status, (await add("one", stranger.id)).status]).toEqual([
    "active",
    "active",
  ]);
});

it("an account can't either, whatever its recipients", async () => {
  const { id } = await api.createAccount("many");
  const statuses: string[] = [];
  for (let number = 0; number < 115; number += 1)
    statuses.push((await add(`r${number % 10}`, id)).status);
  const active = statuses.filter((status) => status === "active").length;
  // Some more have their turn meanwhile.
  expect(active).toBeGreaterThanOrEqual(100);
  expect(statuses).toContain("pending");
});
