import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import { makePostgres } from "#e2e/crash/spool/outside-postgres.ts";
import { countRepeats, findOutOfOrder, sendNumbers, waitForNumbers } from "../parts/numbers.ts";
import { startPlace } from "../parts/place.ts";

type Spool = { readonly folder: string; readonly isQuick: boolean };

const hookCount = 5;

/** (j) PostgreSQL is away while deliveries arrive, and what the spool stores later is heard too. */
export async function proveSpool({ folder, isQuick }: Spool): Promise<void> {
  const awayMs = isQuick ? 8_000 : 60_000;
  const each = isQuick ? 250 : 800;
  const postgres = await makePostgres(folder);
  await postgres.start();
  const spool = pathToFileURL(join(folder, "data", "spool")).href;
  const env = { DATABASE_URL: postgres.url, CATCHMENT_SPOOL_URL: spool };
  const place = await startPlace({ folder, env });
  try {
    const names = Array.from({ length: hookCount }, (_, number) => `s${number}`);
    const hooks = await Promise.all(names.map((name) => place.makeHook({ name })));
    const command = place.listen([...names, "--name", "spool"]);
    await command.until("ready");
    let sent = 0;
    const sending = Promise.all(
      hooks.map(async ({ catchUrl, name }) => {
        await sendNumbers({ catchUrl, tag: name, count: each, ratePerSecond: 10 });
        sent += 1;
      }),
    );
    await delay(3_000);
    const before = place.target.handed.length;
    await postgres.stop();
    await delay(awayMs);
    const meanwhile = place.target.handed.length - before;
    await postgres.start();
    sayMore(`PostgreSQL was away for ${awayMs / 1_000} s, and ${meanwhile} came in that time`);
    // New ones arrive while the spool is drained.
    check(sent < hookCount, "deliveries arrive while it is drained");
    await sending;
    const wanted = Object.fromEntries(names.map((name) => [name, each]));
    const missing = await waitForNumbers(place.target, wanted, 180_000);
    sayMore(`${place.target.handed.length} handed over, ${countRepeats(place.target)} again`);
    check(missing.length === 0, `none of ${each * hookCount} was passed over`, missing);
    const wrong = findOutOfOrder(place.target);
    check(wrong.length === 0, "each hook's came in its order", wrong);
    check(command.process.exitCode === null, "the process goes on");
  } finally {
    await place.stop();
    await postgres.stop();
  }
}
