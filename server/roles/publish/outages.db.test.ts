import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { startTestPublish, withPublish } from "#server/testing/with-publish.ts";

const bench = withPublish();
const event = { type: "invoice.paid", data: 1 };

test.each(["refuse", "hang"] as const)(
  "503 with Retry-After within 5 s while the database doesn't answer (%s), and 202 afterwards",
  async (mode) => {
    const proxy = await startFaultProxy(bench.url);
    const published = await startTestPublish(proxy.url);
    const { accountId, token } = await bench.addPublisher();
    const publish = () => bench.publish(token, event, { port: published.port });
    expect((await publish()).status).toBe(202);
    proxy.setMode(mode);
    const publishing = Promise.all([publish(), publish()]);
    const fetchOther = () => fetch(`http://127.0.0.1:${published.port}/other`);
    expect(await isInTime(publishing, 5_000, fetchOther)).toBe(true);
    const responses = await publishing;
    for (const { status, json, headers } of responses) {
      expect([status, json.code]).toEqual([503, "unavailable"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    proxy.setMode("pass");
    await expect.poll(async () => (await publish()).status).toBe(202);
    expect(await bench.db.event.count({ where: { accountId } })).toBeGreaterThanOrEqual(2);
    await published.stop();
    await proxy.close();
  },
);

test("a nearly full disk stores nothing and says so", async () => {
  const published = await startTestPublish(bench.url, { isStorageLow: () => true });
  const { token } = await bench.addPublisher();
  const { status, json, headers } = await bench.publish(token, event, { port: published.port });
  expect([status, json.code, headers.get("retry-after")]).toEqual([503, "unavailable", "5"]);
  await published.stop();
});

test("one account that floods leaves room for the others", async () => {
  const limits = { maxGroupItems: 5, maxBatchItems: 5 };
  const published = await startTestPublish(bench.url, { limits });
  const [flood, other] = [await bench.addPublisher(), await bench.addPublisher()];
  const holder = createDatabase({ url: bench.url, poolSize: 1, applicationName: "holder" });
  const send = (token: string) => bench.publish(token, event, { port: published.port });
  expect([(await send(flood.token)).status, (await send(other.token)).status]).toEqual([202, 202]);
  let responses: ReturnType<typeof send>[] = [];
  let fine: ReturnType<typeof send> | undefined;
  let refused = 0;
  await holder.$transaction(async (tx) => {
    await tx.$executeRaw`lock table events in access exclusive mode`;
    responses = Array.from({ length: 30 }, async () => {
      const response = await send(flood.token);
      if (response.status === 429) refused += 1;
      return response;
    });
    // Until all have arrived. One that arrives after the lock is gone finds room.
    await expect.poll(() => refused).toBe(25);
    fine = send(other.token);
  });
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202).length).toBe(5);
  expect(statuses.filter((status) => status === 429).length).toBe(25);
  expect((await fine)?.status).toBe(202);
  await holder.$disconnect();
  await published.stop();
});

test("stopping stores what was sent, and then takes no more", async () => {
  const published = await startTestPublish(bench.url);
  const { accountId, token } = await bench.addPublisher();
  const body = JSON.stringify(event);
  const slow = request({
    port: published.port,
    method: "POST",
    path: "/api/v1/events",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.length,
    },
  });
  slow.write(body.slice(0, 5));
  const quick = Array.from({ length: 20 }, () =>
    bench.publish(token, event, { port: published.port }),
  );
  await expect.poll(() => bench.db.event.count({ where: { accountId } })).toBeGreaterThan(0);
  const stopping = published.stop();
  slow.end(body.slice(5));
  const [response] = await once(slow, "response");
  expect([response.statusCode, response.headers.connection]).toEqual([202, "close"]);
  const responses = await Promise.all(quick);
  await stopping;
  const accepted = responses.filter(({ status }) => status === 202).length;
  expect(responses.every(({ status }) => status === 202 || status === 503)).toBe(true);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(accepted + 1);
});
