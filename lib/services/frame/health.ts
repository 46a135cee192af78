import { Health } from "#lib/db/postgres/health.ts";
import type { ServerContext } from "./server-context.ts";

export { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";

/** Checks if deliveries can be stored, at most once at a time and not too often. */
export async function checkHealth(context: ServerContext) {
  return await healthOf(context).check();
}

const healths = new WeakMap<ServerContext, Health>();

function healthOf(context: ServerContext): Health {
  const known = healths.get(context);
  if (known !== undefined) return known;
  const health = new Health(context.db, context.disk);
  healths.set(context, health);
  return health;
}
