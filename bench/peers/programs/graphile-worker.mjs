// graphile-worker: one statement stores the event and its job.
import { run, runMigrations } from "graphile-worker";
import pg from "pg";

export async function openQueue(url, calls) {
  await runMigrations({ connectionString: url });
  const pool = new pg.Pool({ connectionString: url, max: 32 });
  await pool.query("create table if not exists events (id text primary key, body jsonb not null)");
  return async (event) => {
    await pool.query(
      `with stored as (insert into events values ($1, $2) on conflict do nothing returning body)
       select graphile_worker.add_job('event', body::json, max_attempts := 8)
       from stored, generate_series(1, $3)`,
      [event.id, event, calls],
    );
  };
}

export async function startWorker(url, call) {
  const worker = {
    concurrentJobs: 128,
    maxPoolSize: 16,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  };
  const taskList = { event: (body) => call(body) };
  await run({ connectionString: url, taskList, noHandleSignals: true, preset: { worker } });
}
