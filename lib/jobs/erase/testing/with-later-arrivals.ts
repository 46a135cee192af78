import { beforeEach } from "vitest";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { subject } from "#lib/db/erasures/testing/add-subject.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { createErasure, listErasureRules, listErasures } from "#lib/services/erasures.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { eraseJob } from "../../kinds/erase.ts";
import { findArrivalsJob } from "../../kinds/find-arrivals.ts";
import { workAll, workOnce } from "../../testing/work.ts";

type Options = Partial<Parameters<typeof createErasure>[1]>;

/** A database in which people are forgotten and arrive again, with a new account for each test. */
export function withLaterArrivals() {
  const { db, url } = withDatabase();
  const arrivals = findArrivalsJob({ db, sealer: testSealer });
  const erasing = eraseJob({ db, databaseUrl: url, sealer: testSealer });
  let hook: TestHook;

  beforeEach(async () => {
    await emptyTables(db, "accounts", "deliveries", "events", "spools");
    hook = await addHook(db);
  });

  const contextOf = ({ accountId }: TestHook) => testContext(db, accountId);
  const start = (options: Options = {}, of = hook) =>
    createErasure(contextOf(of), {
      ...{ values: subject, dryRun: false, laterArrivals: true },
      ...options,
    });

  async function endErasures(): Promise<void> {
    while ((await db.erasure.count({ where: { finishedAt: null } })) > 0) {
      await db.$executeRaw`update erasures set leased_until = null`;
      await workAll(erasing);
    }
  }

  return {
    db,
    url,
    arrivals,
    erasing,
    hook: () => hook,
    context: () => contextOf(hook),
    start,
    endErasures,
    rulesOf: async (of = hook) => (await listErasureRules(contextOf(of), {})).items,
    erasuresOf: async (of = hook) => (await listErasures(contextOf(of), {})).items,
    async forget(options: Options = {}, of = hook): Promise<void> {
      await start(options, of);
      await endErasures();
    },
    async arrive(fields: Partial<NewDelivery> | string, of = hook): Promise<string> {
      const given = typeof fields === "string" ? { body: Buffer.from(fields) } : fields;
      const delivery = newDelivery(of, given);
      await storeDeliveries(db, [delivery]);
      return delivery.id;
    },
    /** Without the pauses between two looks. */
    async lookOnce(): Promise<boolean> {
      await db.$executeRaw`update erasure_watches set checked_at = null`;
      return await workOnce(arrivals);
    },
    /** Looks and erases until nothing has the values any more that rules know. */
    async settle(): Promise<void> {
      for (let before = -1; before !== (await db.erasure.count()); ) {
        before = await db.erasure.count();
        await db.$executeRaw`update erasure_watches set checked_at = null`;
        await workAll(arrivals);
        await endErasures();
      }
    },
  };
}
