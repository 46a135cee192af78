import { beforeEach, describe, expect, it } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { serveHttp } from "#lib/net/testing/test-servers.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { github, gitlab, shopify, stripe } from "./testing/examples.ts";
import {
  startFakeGithub,
  startFakeGitlab,
  startFakeShopify,
  startFakeStripe,
} from "./testing/fake-registrars.ts";
import { setUpRegistration } from "./testing/set-up.ts";

const { db } = withDatabase();
const newClient = withClients();
beforeEach(() => db.registration.deleteMany());

describe("what the provider takes away", () => {
  const cases = [
    { ...stripe, start: () => startFakeStripe() },
    { ...github, start: () => startFakeGithub() },
    { ...shopify, start: startFakeShopify },
  ] as const;

  it.each(cases)("$provider: is back within 5 minutes, once a day", async (given) => {
    await using fake = await given.start();
    await using own = await serveHttp((_, response) => response.writeHead(405).end());
    const publicUrl = `http://127.0.0.1:${own.port}`;
    const set = await setUpRegistration(db, newClient, fake, { ...given, publicUrl });
    const { register, look, problems } = set;
    const takeAway = () => {
      if (given.provider === "shopify") fake.webhooks.splice(0);
      else for (const each of fake.webhooks) each.isEnabled = false;
    };
    const isThere = () => fake.webhooks.length > 0 && fake.webhooks.every((one) => one.isEnabled);
    await register();
    await look(0);
    const secret = fake.webhooks[0]?.secret;
    takeAway();
    expect(await look(5)).toMatchObject({ status: "registered", revivedAt: expect.any(Date) });
    expect(isThere()).toBe(true);
    expect(fake.webhooks[0]?.secret).toBe(secret);
    expect(own.connections()).toBeGreaterThan(0);
    takeAway();
    expect(await look(5)).toMatchObject({
      status: "failing",
      reason: expect.stringMatching(/day/),
    });
    expect(isThere()).toBe(false);
    await look(5);
    expect(await problems()).toMatchObject([{ kind: "registration", state: "open", count: 1n }]);
    // A day later, or when a person says so.
    expect(await look(24 * 60)).toMatchObject({ status: "registered", reason: null });
    expect(await problems()).toMatchObject([{ state: "resolved", resolution: "recovered" }]);
  });

  it("stays away while our own URL doesn't respond", async () => {
    await using fake = await startFakeStripe();
    let status = 502;
    await using own = await serveHttp((_, response) => response.writeHead(status).end());
    const publicUrl = `http://127.0.0.1:${own.port}`;
    const set = await setUpRegistration(db, newClient, fake, { ...stripe, publicUrl });
    await set.register();
    await set.look(0);
    for (const each of fake.webhooks) each.isEnabled = false;
    expect(await set.look()).toMatchObject({
      status: "failing",
      reason: "Stripe has switched this webhook off. This hook's own URL responds with 502.",
    });
    status = 405;
    expect(await set.look()).toMatchObject({ status: "registered" });
  });

  it("GitLab: is a problem, because its API can't enable it", async () => {
    await using fake = await startFakeGitlab();
    const { register, look, problems } = await setUpRegistration(db, newClient, fake, gitlab);
    await register();
    await look(0);
    for (const each of fake.webhooks) each.isEnabled = false;
    await look();
    expect(await problems()).toMatchObject([
      {
        details: {
          provider: "GitLab",
          message:
            "GitLab has switched this webhook off because it got errors, and its API can't switch it on. Test it at GitLab.",
        },
      },
    ]);
  });
});

describe("what a person does at the provider", () => {
  it("a deleted webhook isn't made again unless someone says so", async () => {
    await using fake = await startFakeGithub();
    const { register, look, problems } = await setUpRegistration(db, newClient, fake, github);
    await register();
    await look(0);
    fake.webhooks.splice(0);
    expect(await look()).toMatchObject({ status: "missing" });
    expect(await problems()).toMatchObject([{ kind: "registration", state: "open" }]);
    await look();
    expect(fake.webhooks).toEqual([]);
    await register({ recreate: "always" });
    expect(await look(0)).toMatchObject({ status: "registered" });
    fake.webhooks.splice(0);
    expect(await look()).toMatchObject({ status: "registered" });
    expect(await problems()).toMatchObject([{ state: "resolved" }]);
  });

  it("a changed URL stays, types that they add too, and types that they remove are back", async () => {
    await using fake = await startFakeGithub();
    const { register, look } = await setUpRegistration(db, newClient, fake, github);
    await register();
    await look(0);
    const [webhook] = fake.webhooks;
    if (webhook === undefined) throw new Error("It isn't registered");
    webhook.eventTypes = ["push", "issues"];
    await look();
    expect(webhook.eventTypes.toSorted()).toEqual(["issues", "pull_request", "push"]);
    webhook.url = "https://elsewhere.example.test/";
    expect(await look()).toMatchObject({ status: "failing", reason: expect.stringMatching(/URL/) });
    expect(webhook.url).toBe("https://elsewhere.example.test/");
  });
});
