import { expect, it } from "vitest";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readDeliveryList } from "./read-delivery-list.ts";

const api = withApi();

it("a text search continues over several scans, and its links lead to every match", async () => {
  const { id: accountId, token } = await api.createAccount("far");
  const { id: hookId } = await api.createHook({}, token);
  const needle = await storeDelivery(api.db, accountId, hookId, { eventId: "needle" });
  await api.db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    select uuid_v7_at(now() + n * interval '1 ms'), ${accountId}::uuid, ${hookId}::uuid, 'accepted', now(), 'POST', '', '',
      '[]', 0, '', 'verified', '' from generate_series(1000, 11000) n`;
  const found: string[] = [];
  let requests = 0;
  for (let path: string | null = "/deliveries?q=needle"; path !== null; requests += 1) {
    const params = Object.fromEntries(new URL(path, "http://localhost").searchParams);
    const list = await readDeliveryList(
      testContext(api.db, accountId),
      { hookId: null, path: "/deliveries" },
      params,
    );
    found.push(...list.deliveries.map(({ id }) => id));
    path = list.links.older;
  }
  expect(found).toEqual([needle]);
  // Six scans of 2,000 deliveries.
  expect(requests).toBeLessThan(6);
});

it("a search for a value says up to when the fields of its hook are indexed, if that is long ago", async () => {
  const { id: accountId, token } = await api.createAccount("lag");
  const { id: hookId } = await api.createHook({ fieldSearch: true }, token);
  const read = async (q: string) => {
    const place = { hookId, path: `/hooks/${hookId}/deliveries` };
    return (await readDeliveryList(testContext(api.db, accountId), place, { q })).indexedUntil;
  };
  expect(await read("a = b")).toBeNull();
  const until = new Date(Date.now() - 3_600_000);
  await api.db.$executeRaw`
    insert into field_search_cursors (hook_id, covered_until, checked_until, worked_at)
    values (${hookId}::uuid, uuid_v7_floor(${until}), uuid_v7_floor(now()), now())`;
  expect(await read("a = b")).toEqual(until);
  expect(await read("a text")).toBeNull();
  expect((await api.send("GET", `/hooks/${hookId}`, undefined, token)).body).toMatchObject({
    fieldSearch: true,
    fieldSearchUntil: until.toISOString(),
  });
  await api.db.$executeRaw`update field_search_cursors set covered_until = uuid_v7_floor(now())`;
  expect(await read("a = b")).toBeNull();
});
