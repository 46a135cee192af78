import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { HostClient } from "./host-client.ts";

const { db, url } = withDatabase();

it("statements given side by side are sent one after the other, without a warning of the driver", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const run = async (client: pg.Client) => {
    await client.connect();
    const statements = ["select 1 as n", "select 1 / 0 as n", "select 2 as n", "select 3 as n"];
    const outcomes = await Promise.allSettled(
      statements.map((text) => client.query<{ n: number }>(text)),
    );
    await client.end();
    await new Promise(setImmediate);
    return outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.rows[0]?.n : outcome.reason.code,
    );
  };
  expect(await run(new HostClient({ connectionString: url }))).toEqual([1, "22012", 2, 3]);
  expect(warnings).toEqual([]);
  // The driver's own client warns, once in a process.
  await run(new pg.Client({ connectionString: url }));
  expect(warnings).toEqual([expect.stringContaining("already executing a query")]);
});

it("a connection that ends between two statements doesn't end the process", async () => {
  const client: pg.Client = new HostClient({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  await db.$queryRaw`select pg_terminate_backend(${rows[0]?.pid})`;
  await ended;
  await expect(client.query("select 1")).rejects.toThrow("not queryable");
});
