import { beforeEach, expect, it } from "vitest";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { removeRegistration } from "#lib/services/registrations.ts";
import { moreProviders } from "./testing/more-examples.ts";
import { setUpRegistration, withoutMark } from "./testing/set-up.ts";

const { db } = withDatabase();
const newClient = withClients();
beforeEach(() => db.registration.deleteMany());

it.each(moreProviders)("$provider: registered, kept, moved, and removed", async (given) => {
  await using fake = await given.start();
  const set = await setUpRegistration(db, newClient, fake, given);
  const { hook, context, register, look, secrets } = set;
  const foreign = {
    ...{ id: "901", url: "https://other.example.test/", eventTypes: [given.eventTypes[0]] },
    ...{ isEnabled: true, secret: "theirs", mark: null },
  };
  fake.webhooks.push({ ...foreign, eventTypes: [given.eventTypes[0]] });
  const own = () => fake.webhooks.filter(({ id }) => id !== foreign.id);
  const ownTypes = () => own().flatMap(({ eventTypes }) => eventTypes);
  const known = async () => openSecrets(hook.accountId, await secrets(), testSealer);
  await register();
  expect(await look(0)).toMatchObject({ status: "registered", reason: null });
  expect(ownTypes().toSorted()).toEqual([...given.eventTypes].toSorted());
  for (const { secret } of own()) expect(await known()).toContain(secret);

  // Looking changes nothing.
  const before = structuredClone(fake.webhooks);
  await look();
  expect(fake.webhooks).toEqual(before);

  // The provider disables it.
  for (const each of own()) each.isEnabled = false;
  expect(await look()).toMatchObject({ status: "registered", revivedAt: expect.any(Date) });
  expect(own().every(({ isEnabled }) => isEnabled)).toBe(true);

  await rotateCatchUrl(context, { id: hook.id });
  const moved = await look(0);
  expect(new Set(own().map(({ url }) => withoutMark(url)))).toEqual(new Set([moved?.url]));
  expect(moved?.url).not.toBe(set.url);
  for (const { secret } of own()) expect(await known()).toContain(secret);

  await removeRegistration(context, { id: hook.id });
  expect(await look(0)).toBeNull();
  expect(fake.webhooks).toEqual([foreign]);
});

it.each(moreProviders)(
  "$provider: one with our URL is adopted, with a secret that is known",
  async (given) => {
    await using fake = await given.start();
    const set = await setUpRegistration(db, newClient, fake, given);
    const eventTypes = [given.eventTypes[0]];
    const theirs = { eventTypes, isEnabled: true, secret: "a secret of theirs", mark: null };
    fake.webhooks.push({ id: "902", url: set.url, ...theirs });
    await set.register();
    expect(await set.look(0)).toMatchObject({ status: "registered", isAdopted: true });
    const types = fake.webhooks.flatMap((each) => each.eventTypes);
    expect(types.toSorted()).toEqual([...given.eventTypes].toSorted());
    const known = openSecrets(set.hook.accountId, await set.secrets(), testSealer);
    for (const { url, secret } of fake.webhooks) {
      expect(withoutMark(url)).toBe(set.url);
      // That of an app isn't the webhook's.
      if (!("signingSecret" in given)) expect(known).toContain(secret);
    }
  },
);
