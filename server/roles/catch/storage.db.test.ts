import { statfsSync } from "node:fs";
import { connect } from "node:net";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import {
  type NewDelivery,
  type StoredDelivery,
  storeDeliveries,
} from "#lib/db/deliveries/store-deliveries.ts";
import { DatabaseDisk } from "#lib/db/postgres/database-disk.ts";
import { isDataError } from "#lib/db/postgres/sql-state.ts";
import { countDedupeKeys } from "#lib/db/testing/count-rows.ts";
import { type FaultProxy, startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { GroupCommit } from "#lib/ingress/group-commit.ts";
import {
  type CatchUnderTest,
  readStatuses,
  send,
  sendJson,
  startTestCatch,
  type TestResponse,
} from "#server/testing/catch-harness.ts";

const { db, url } = withDatabase();
let holder: Client;

beforeAll(async () => {
  holder = new Client({ connectionString: url });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
});

type Timed = TestResponse & { readonly isInTime: boolean };

/** Beside a request that the listener answers by itself. */
async function timed({ port }: CatchUnderTest, work: Promise<TestResponse>): Promise<Timed> {
  const fetchOther = () => fetch(`http://127.0.0.1:${port}/other`);
  const soon = await isInTime(work, 5_000, fetchOther);
  return { ...(await work), isInTime: soon };
}

function expectUnavailable(response: Timed): void {
  expect([response.status, response.json.code]).toEqual([503, "unavailable"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.isInTime).toBe(true);
}

/** Blocks all storing, but no reading, until `holder` ends its transaction. */
async function holdStorage(): Promise<void> {
  await holder.query("begin");
  await holder.query("lock table deliveries in share mode");
}

// Not through `holder`: inside a transaction this view is read only once.
async function countWaiting(): Promise<number> {
  const rows = await db.$queryRaw<unknown[]>`
    select from pg_stat_activity
    where wait_event_type = 'Lock' and application_name = 'test-catch' and datname = current_database()`;
  return rows.length;
}

describe("with the real database", () => {
  let caught: CatchUnderTest;
  beforeEach(async () => {
    const limits = { maxBatchItems: 2, maxGroupItems: 10, maxWaitingItems: 20 };
    caught = await startTestCatch(url, { limits });
  });
  afterEach(async () => {
    await holder.query("rollback");
    await caught.stop();
  });

  test(
    "a connection killed in the middle of the statement: 503, " +
      "nothing stored in part, the next delivery is accepted",
    async () => {
      const hook = await addHook(db);
      await sendJson(caught.port, hook.path, {});
      await holdStorage();
      const sending = timed(caught, sendJson(caught.port, hook.path, { id: "killed" }));
      await expect.poll(countWaiting).toBe(1);
      await holder.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where wait_event_type = 'Lock' and application_name = 'test-catch' and datname = current_database()`,
      );
      expectUnavailable(await sending);
      await holder.query("rollback");
      expect(await countDedupeKeys(db, hook.id)).toBe(0);
      expect(await db.delivery.count({ where: { hookId: hook.id } })).toBe(1);
      expect((await sendJson(caught.port, hook.path, { id: "killed" })).json.status).toBe(
        "accepted",
      );
    },
  );

  test("a statement that hangs on a lock: 503 within 5 s, then recovery without help", async () => {
    const hook = await addHook(db);
    await holdStorage();
    const responses = await Promise.all(
      [1, 2, 3].map((id) => timed(caught, sendJson(caught.port, hook.path, { id }))),
    );
    for (const response of responses) expectUnavailable(response);
    await holder.query("rollback");
    await expect
      .poll(async () => (await sendJson(caught.port, hook.path, { id: 1 })).status, {
        timeout: 300_000,
      })
      .toBe(200);
  });

  test(
    "429 if a hook's group is full, 503 for all hooks if the " +
      "queue is full, and waiting deliveries are stored",
    async () => {
      const [flooded, other, third] = [await addHook(db), await addHook(db), await addHook(db)];
      for (const { path } of [flooded, other, third]) await sendJson(caught.port, path, {});
      await holdStorage();
      const answered: number[] = [];
      const flood = Array.from({ length: 15 }, async () => {
        const response = await sendJson(caught.port, flooded.path, {});
        answered.push(response.status);
        return response;
      });
      const rejected = await Promise.race(flood);
      expect([rejected.status, rejected.json.code, rejected.headers.get("retry-after")]).toEqual([
        429,
        "rate_limited",
        "2",
      ]);
      // One that arrives later would find a full queue, or room.
      await expect.poll(() => answered).toEqual(Array(5).fill(429));
      const others = Array.from({ length: 10 }, () => sendJson(caught.port, other.path, {}));
      await expect
        .poll(async () => (await timed(caught, sendJson(caught.port, third.path, {}))).status)
        .toBe(503);
      expectUnavailable(await timed(caught, sendJson(caught.port, third.path, {})));
      await holder.query("rollback");
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(5).fill(429)]);
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    },
  );

  test("stopping answers requests in flight and closes their connections, and later ones get 503", async () => {
    const hook = await addHook(db);
    const request = `POST ${hook.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    const [busy, idle] = [openConnection(caught.port), openConnection(caught.port)];
    idle.socket.write(request);
    await expect.poll(() => readStatuses(idle.received())).toEqual([200]);
    await holdStorage();
    busy.socket.write(request);
    await expect.poll(countWaiting).toBe(1);
    const stopped = caught.running.stop();
    idle.socket.write(request);
    await expect.poll(() => readStatuses(idle.received())).toEqual([200, 503]);
    await expect.poll(idle.isClosed).toBe(true);
    expect(idle.received()).toMatch(/retry-after: \d/i);
    expect(busy.received()).toBe("");
    await holder.query("rollback");
    await stopped;
    await expect.poll(busy.isClosed).toBe(true);
    expect(readStatuses(busy.received())).toEqual([200]);
    expect(busy.received().toLowerCase()).toContain("connection: close");
  });
});

function openConnection(port: number) {
  let received = "";
  let isClosed = false;
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  return { socket, received: () => received, isClosed: () => isClosed };
}

describe("with a failing network", () => {
  let proxy: FaultProxy;
  let caught: CatchUnderTest;
  beforeAll(async () => {
    proxy = await startFaultProxy(url);
    caught = await startTestCatch(proxy.url);
  });
  afterAll(async () => {
    proxy.setMode("pass");
    await caught.stop();
    await proxy.close();
  });

  test.each(["hang", "refuse"] as const)(
    "database %s: every kind of delivery is 503 within 5 s, and health recovers without help",
    { tags: "variant", timeout: 300_000 },
    async (mode) => {
      const known = await addHook(db);
      const unknown = await addHook(db);
      const signed = await addHook(db, { provider: "stripe", signingSecret: "whsec_x_0123456789" });
      expect((await sendJson(caught.port, known.path, {})).status).toBe(200);
      expect((await sendJson(caught.port, signed.path, {})).status).toBe(401);
      proxy.setMode(mode);
      // The second round starts after the first has failed, with connections gone or stuck.
      for (const _ of [1, 2]) {
        const responses = await Promise.all([
          timed(caught, sendJson(caught.port, known.path, {})),
          timed(caught, sendJson(caught.port, known.path, "{bad")),
          timed(caught, sendJson(caught.port, unknown.path, {})),
          timed(caught, sendJson(caught.port, signed.path, {})),
          timed(caught, sendJson(caught.port, "/catch/nobody/nothing", {})),
          timed(caught, send(caught.port, known.path, { method: "GET" })),
        ]);
        for (const response of responses) expectUnavailable(response);
      }
      proxy.setMode("pass");
      for (const { path } of [known, unknown]) {
        await expect
          .poll(async () => (await sendJson(caught.port, path, {})).status, {
            timeout: 300_000,
            interval: 100,
          })
          .toBe(200);
      }
      expect((await sendJson(caught.port, signed.path, {})).status).toBe(401);
    },
  );
});

test("one poisoned row in a batch affects only itself", async () => {
  const hook = await addHook(db);
  const commits = new GroupCommit<NewDelivery, StoredDelivery>({
    store: (items) => storeDeliveries(db, items),
    bytesOf: () => 1,
    groupKeyOf: () => "",
    isItemFault: isDataError,
    limits: {
      maxInFlight: 1,
      minSecondBatchItems: 1,
      maxBatchItems: 100,
      maxBatchBytes: 1_000,
      maxWaitingItems: 1_000,
      maxWaitingBytes: 1_000,
      maxGroupItems: 1_000,
    },
    now: Date.now,
  });
  const poison = new Map([
    [7, { path: "a\u0000b" }],
    [33, { headersJson: "{bad json" }],
    [34, { receivedAtMs: 1e17 }],
  ]);
  const committed = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      commits.submit(newDelivery(hook, poison.get(index)), 10_000),
    ),
  );
  const failed = committed.flatMap((result, index) => (result.ok ? [] : [index]));
  expect(failed).toEqual([7, 33, 34]);
  expect(await db.delivery.count({ where: { hookId: hook.id } })).toBe(61);
});

describe("with the database's disk nearly full", () => {
  test("every delivery is 503 until there is space again, and then accepted", async () => {
    let isFull = true;
    const caught = await startTestCatch(url, { isStorageLow: () => isFull });
    const hook = await addHook(db);
    expectUnavailable(await timed(caught, sendJson(caught.port, hook.path, { id: "evt_disk" })));
    isFull = false;
    expect((await sendJson(caught.port, hook.path, { id: "evt_disk" })).json.status).toBe(
      "accepted",
    );
    await caught.stop();
  });

  test("a disk with less free space than required is low, one with more isn't", () => {
    const folder = process.cwd();
    expect(new DatabaseDisk({ folder, minFreeBytes: 0 }).isLow()).toBe(false);
    const free = statfsSync(folder);
    const share = (free.bavail / free.blocks) * 100;
    // On this disk the other limit, 5 % of it, may decide.
    expect(new DatabaseDisk({ folder, minFreeBytes: Number.MAX_SAFE_INTEGER }).isLow()).toBe(
      share < 5,
    );
  });
});
