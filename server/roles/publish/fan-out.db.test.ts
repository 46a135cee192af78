import { expect, test } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { batchPath, withPublish } from "#server/testing/with-publish.ts";

const bench = withPublish();

/** Subscriptions that get every event without a recipient. */
async function addSubscriptions(accountId: string, count: number): Promise<void> {
  await bench.db.$executeRaw`
    with made as (
      insert into subscriptions (id, account_id, receiver_url, event_types)
      select gen_random_uuid(), ${accountId}::uuid, 'https://x.example', '{*}'
      from generate_series(1, ${count}::int)
      returning id
    )
    insert into subscription_patterns (account_id, pattern, subscription_id)
    select ${accountId}::uuid, '*', id from made`;
}

type Result = {
  readonly id: string;
  readonly runs?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
};

test("a batch with a million sends is answered in time, says what is stored and what isn't, and can be repeated", {
  tags: "variant",
}, async () => {
  const [{ accountId, token }, other] = [await bench.addPublisher(), await bench.addPublisher()];
  await addSubscriptions(accountId, 1_000);
  const events = Array.from({ length: 1_000 }, (_, index) => ({
    id: `evt_${index}`,
    type: "invoice.paid",
    data: index,
  }));
  const publish = async (): Promise<readonly Result[]> => {
    const publishing = bench.publish(token, { events }, { path: batchPath });
    expect(await isInTime(publishing, 5_000, () => bench.publish("none", {}))).toBe(true);
    const response = await publishing;
    expect(response.status).toBe(202);
    return JSON.parse(response.text).events;
  };
  const publishing = publish();
  const beside = await bench.publish(other.token, { type: "invoice.paid", data: 1 });
  expect(beside.status).toBe(202);
  const results = await publishing;
  expect(results.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  const stored = results.filter(({ runs }) => runs === 1_000).map(({ id }) => id);
  const unstored = results.filter(({ error }) => error?.message.startsWith("It was not stored"));
  expect(stored.length).toBeGreaterThan(0);
  for (const { runs, error } of results)
    expect(error?.code ?? runs).toBe(error === undefined ? 1_000 : "unavailable");

  const rows = await bench.db.event.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  const found = new Set(rows.map(({ publicId }) => publicId));
  expect(stored.filter((id) => !found.has(id))).toEqual([]);
  expect(unstored.filter(({ id }) => found.has(id))).toEqual([]);
  expect(await bench.db.queuedRun.count({ where: { accountId } })).toBe(found.size * 1_000);

  const again = new Map((await publish()).map((result) => [result.id, result]));
  for (const id of stored)
    expect(again.get(id)).toEqual({ id, type: "invoice.paid", recipient: null, duplicate: true });
});

test("an event that 20,000 subscriptions match is sent to each of them", {
  tags: "variant",
}, async () => {
  const { accountId, token } = await bench.addPublisher();
  await addSubscriptions(accountId, 20_000);
  // A machine that is slow for a moment gets 503, as a publisher would, and nothing is stored.
  const publish = async () =>
    (await bench.publish(token, { id: "evt_1", type: "invoice.paid", data: 1 })).status;
  await expect.poll(publish, { timeout: 60_000 }).toBe(202);
  expect(await bench.db.queuedRun.count({ where: { accountId } })).toBe(20_000);
});
