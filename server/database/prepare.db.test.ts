import { type AddressInfo, connect, createServer } from "node:net";
import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { DatabaseAwayError, StartError } from "#server/system/start-error.ts";
import { prepareDatabase } from "./prepare-database.ts";

const { url, drop } = await createTestDatabase();
const client = new Client({ connectionString: url });
await client.connect();
afterAll(async () => {
  await client.end();
  await drop();
});

const env = {
  ...process.env,
  DATABASE_URL: url,
  CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
};

it.each([
  ["short", "CATCHMENT_ADMIN_PASSWORD: Use at least 10 characters."],
  ["Password123", "CATCHMENT_ADMIN_PASSWORD: This password is too common. Choose another one."],
])(
  "the password %s creates no owner, but an owner who exists starts with it",
  { tags: "variant" },
  async (given, why) => {
    await client.query("truncate accounts, users, memberships cascade");
    const startWith = (password: string) =>
      prepareDatabase({
        ...env,
        CATCHMENT_ADMIN_EMAIL: "ada@example.com",
        CATCHMENT_ADMIN_PASSWORD: password,
      });
    await expect(startWith(given)).rejects.toThrow(new StartError(why));
    expect(await startWith("a few words in a row")).toMatchObject({
      firstAccess: { kind: "created" },
    });
    expect(await startWith(given)).toMatchObject({ firstAccess: { kind: "exists" } });
  },
);

it("a server that was off for months has its weeks before it stores anything", async () => {
  const weeks = `select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('deliveries'::regclass, 'attempts'::regclass) and inhrelid::regclass::text ~ '\\d{8}$'`;
  for (const { name } of (await client.query(weeks)).rows) await client.query(`drop table ${name}`);
  await prepareDatabase(env);
  // This week and the next four, of both tables.
  expect((await client.query(weeks)).rows).toHaveLength(10);
});

it.each(["pg_advisory_lock", "_prisma_migrations", "seal_check"])(
  "a database that goes at the statement with %s is away, and the start can be repeated",
  async (word) => {
    const { hostname, port } = new URL(url);
    let isCut = false;
    const server = createServer((socket) => {
      const upstream = connect(Number(port), hostname);
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        from.on("error", () => {});
        from.on("close", () => to.destroy());
      }
      socket.on("data", (bytes) => {
        isCut ||= bytes.includes(word);
        if (isCut) socket.destroy();
        else upstream.write(bytes);
      });
      upstream.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const through = new URL(url);
    // Not by the socket file.
    through.search = "";
    through.port = String((server.address() as AddressInfo).port);
    const starting = prepareDatabase({ ...env, DATABASE_URL: through.toString() });
    await expect(starting).rejects.toBeInstanceOf(DatabaseAwayError);
    expect(isCut).toBe(true);
    server.close();
    await prepareDatabase(env);
  },
);
