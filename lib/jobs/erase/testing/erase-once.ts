import { setTimeout as delay } from "node:timers/promises";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { eraseJob } from "../../kinds/erase.ts";

/** A process that works on erasures, batch by batch, until it is killed. It says how many it has done. */
const [databaseUrl = "", folder = "", batches = "1000000"] = process.argv.slice(2);
const job = eraseJob({
  db: createSqlDatabase({ url: databaseUrl, poolSize: 2, applicationName: "test child" }),
  databaseUrl,
  sealer: testSealer,
  archive: { kind: "folder", folder },
});
const signal = new AbortController().signal;
let done = 0;
// It rests while a session that has archived is still being closed.
while (done < Number(batches))
  if (await job.work(signal)) done += 1;
  else await delay(100);
process.stdout.write("standing still\n");
setInterval(() => {}, 60_000);
