import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { findArrivalsJob } from "../../kinds/find-arrivals.ts";

/** A process that looks for later arrivals once, unless it is killed. */
const [databaseUrl = ""] = process.argv.slice(2);
const db = createSqlDatabase({ url: databaseUrl, poolSize: 2, applicationName: "test child" });
await findArrivalsJob({ db, sealer: testSealer }).work(new AbortController().signal);
await db.$disconnect();
