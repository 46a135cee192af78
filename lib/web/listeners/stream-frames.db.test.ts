import { expect, it } from "vitest";
import { processStop } from "#lib/base/stopping.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { openEvents } from "#lib/web/testing/open-events.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { maxReaders, takeReaderSlot } from "./reader-slots.ts";

const api = withApi();

const listen = (path: string, token = api.account.token) => openEvents(path, token);
const open = (token?: string) => api.send("POST", "/listeners", { host: "ada.local" }, token);

async function addPerson() {
  const userId = await addMember(api.db, api.account.id, "member");
  const made = { name: "laptop", userId, scopes: apiScopes, expiresAt: null };
  return { userId, ...(await createApiToken(api.db, api.account.id, made)) };
}

it("ends with the reason: a closed account, a person who left or may do less, a server that stops", async () => {
  const closed = await api.createAccount("closed");
  const [left, viewer] = [await addPerson(), await addPerson()];
  const begin = async (token: string) => {
    const { id, connectionId } = (await open(token)).body;
    return await listen(`/listeners/${id}/stream?connection=${connectionId}`, token);
  };
  const streams = await Promise.all([closed, left, viewer].map(({ token }) => begin(token)));
  await api.db.account.update({ where: { id: closed.id }, data: { deletedAt: new Date() } });
  const ofAccount = { accountId: api.account.id };
  await api.db.membership.deleteMany({ where: { ...ofAccount, userId: left.userId } });
  await api.db.membership.updateMany({
    where: { ...ofAccount, userId: viewer.userId },
    data: { role: "viewer" },
  });
  const goodbyes = await Promise.all(streams.map((stream) => stream.take("goodbye")));
  expect(goodbyes.flat()).toEqual([
    { reason: "account_deleted", retryAfter: null },
    { reason: "unauthenticated", retryAfter: null },
    { reason: "forbidden", retryAfter: null },
  ]);
  const lasting = await begin(api.account.token);
  await lasting.take("status");
  const { id, connectionId } = (await open()).body;
  const poll = api.send("GET", `/listeners/${id}/deliveries?connection=${connectionId}&wait=25`);
  processStop().abort();
  try {
    expect(await lasting.take("goodbye")).toEqual([{ reason: "server_stopping", retryAfter: 5 }]);
    expect(await lasting.next()).toBeNull();
    expect((await poll).body.data).toEqual([]);
  } finally {
    Reflect.deleteProperty(globalThis, "catchmentStopping");
  }
});

it("has a limit of streams and calls that wait, which one that has ended gives back", async () => {
  const { id, connectionId } = (await open()).body;
  const path = `/listeners/${id}/stream?connection=${connectionId}`;
  const poll = (wait: number) =>
    api.send("GET", `/listeners/${id}/deliveries?connection=${connectionId}&wait=${wait}`);
  const take = () => takeReaderSlot(api.account.id);
  const slots = Array.from({ length: maxReaders.account }, take);
  await expect(listen(path)).rejects.toThrow("at most 100 open streams");
  const full = await poll(1);
  expect([full.status, full.body.code, full.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    "5",
  ]);
  expect((await poll(0)).status).toBe(200);
  slots[0]?.();
  slots[0]?.();
  expect((await poll(1)).status).toBe(200);
  const stream = await listen(path);
  expect(take).toThrow("at most 100");
  await stream.stop();
  slots[0] = take();
  // Streams that the tests of other files left open count as well.
  const others: (() => void)[] = [];
  const takeAll = () => {
    for (const account of ["a", "b", "c"])
      for (let count = 0; count < maxReaders.account; count += 1)
        others.push(takeReaderSlot(account));
  };
  expect(takeAll).toThrow("This server has 300");
  for (const giveBack of [...slots, ...others]) giveBack();
});
