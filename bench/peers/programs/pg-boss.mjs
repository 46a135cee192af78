// pg-boss: the event and its job are stored in one transaction.
import pg from "pg";
import { PgBoss } from "pg-boss";

async function start(url) {
  const boss = new PgBoss({ connectionString: url, max: 16 });
  boss.on("error", console.error);
  await boss.start();
  await boss.createQueue("events");
  return boss;
}

export async function openQueue(url, calls) {
  const boss = await start(url);
  const pool = new pg.Pool({ connectionString: url, max: 32 });
  await pool.query("create table if not exists events (id text primary key, body jsonb not null)");
  return async (event) => {
    const client = await pool.connect();
    const db = { executeSql: (text, values) => client.query(text, values) };
    try {
      await client.query("begin");
      const { rowCount } = await client.query(
        "insert into events values ($1, $2) on conflict do nothing",
        [event.id, event],
      );
      for (let call = 0; rowCount === 1 && call < calls; call += 1)
        await boss.send("events", event, { db, retryLimit: 8, retryBackoff: true });
      await client.query("commit");
    } finally {
      client.release();
    }
  };
}

export async function startWorker(url, call) {
  const boss = await start(url);
  const options = {
    batchSize: 100,
    localConcurrency: 2,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
  };
  await boss.work("events", options, (jobs) => Promise.all(jobs.map(({ data }) => call(data))));
}
