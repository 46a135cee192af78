import { connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { notifyRunsDue, runsDueChannel } from "#lib/db/queue/notify.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type Listener, listen } from "./listen.ts";

const { db, url: databaseUrl } = withDatabase();

type Heard = {
  readonly listener: Listener;
  readonly payloads: string[];
  connections: number;
  losses: number;
};

/** Without a heartbeat: a busy machine would take the connection for dead. */
function hear(url: string, channel: string, heartbeatMs = 600_000): Heard {
  const heard: { payloads: string[]; connections: number; losses: number } = {
    payloads: [],
    connections: 0,
    losses: 0,
  };
  const listener = listen({
    url,
    applicationName: `listener of ${channel}`,
    channels: [channel],
    heartbeatMs,
    onNotification: (_channel, payload) => heard.payloads.push(payload),
    onConnected: () => {
      heard.connections += 1;
    },
    onLost: () => {
      heard.losses += 1;
    },
  });
  return Object.assign(heard, { listener });
}

it("receives notifications", async () => {
  const heard = hear(databaseUrl, "news");
  await expect.poll(() => heard.listener.isConnected()).toBe(true);
  await db.$executeRaw`select pg_notify('news', 'hello')`;
  await expect.poll(() => heard.payloads).toEqual(["hello"]);
  await heard.listener.close();
  expect(heard.losses).toBe(0);
});

it("reconnects after its connection was closed, reports the loss, and receives again", async () => {
  const heard = hear(databaseUrl, "again");
  await expect.poll(() => heard.connections).toBe(1);
  await db.$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener of again' and datname = current_database()`;
  await expect.poll(() => heard.connections).toBe(2);
  expect(heard.losses).toBe(1);
  await expect.poll(() => heard.listener.isConnected()).toBe(true);
  await db.$executeRaw`select pg_notify('again', 'back')`;
  await expect.poll(() => heard.payloads).toEqual(["back"]);
  await heard.listener.close();
});

it("notices within 5 s that a connection is dead although it was never closed", {
  tags: "variant",
}, async () => {
  const hole = await startBlackHole(new URL(databaseUrl));
  const heard = hear(hole.url, "hole", 2_500);
  await expect.poll(() => heard.connections).toBe(1);
  hole.swallow();
  const lost = (async () => await expect.poll(() => heard.losses).toBe(1))();
  expect(await isInTime(lost, 5_000, () => db.$queryRaw`select 1`)).toBe(true);
  await lost;
  await expect.poll(() => heard.connections).toBe(2);
  await heard.listener.close();
  hole.close();
});

it("combines many wake-ups of the workers into few notifications and never loses the last one", async () => {
  const heard = hear(databaseUrl, runsDueChannel);
  await expect.poll(() => heard.connections).toBe(1);
  for (let wish = 0; wish < 1_000; wish += 1) notifyRunsDue(db);
  await expect.poll(() => heard.payloads.length).toBe(2);
  notifyRunsDue(db);
  await expect.poll(() => heard.payloads.length).toBe(3);
  await heard.listener.close();
});

/** Forwards to Postgres. `swallow` makes open connections go silent, as when a machine vanishes. */
async function startBlackHole(
  target: URL,
): Promise<{ readonly url: string; swallow(): void; close(): void }> {
  const pairs: [Socket, Socket][] = [];
  const swallowed: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) socket.on("error", () => {});
    near.pipe(far).pipe(near);
    pairs.push([near, far]);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  // The test connects over TCP, because a proxy can't intercept the socket file.
  url.searchParams.delete("host");
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: url.toString(),
    swallow() {
      for (const [near, far] of pairs.splice(0)) {
        swallowed.push([near, far]);
        near.unpipe();
        far.unpipe();
        near.resume();
        far.resume();
      }
    },
    close() {
      server.close();
      for (const socket of [...pairs, ...swallowed].flat()) socket.destroy();
    },
  };
}
