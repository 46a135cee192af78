import { problemResponse } from "#lib/core/api/api-response.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { type ServerContext, serverContext } from "#lib/services/frame/server-context.ts";
import { respond } from "./api-response.ts";
import { respondToGet } from "./respond-to-get.ts";

/** Reports that the process responds, whatever the database does. */
export async function serveLiveness(request: Request): Promise<Response> {
  return await respond(request, () =>
    respondToGet(request, async () => ({ status: 200, text: '{"status":"ok"}' })),
  );
}

/** Reports to load balancers and people if deliveries can be stored, and nothing else. */
export async function serveHealth(request: Request): Promise<Response> {
  return await respond(request, () =>
    respondToGet(request, async () => {
      const check = await healthOf(serverContext()).check();
      if (check.ok) return { status: 200, text: '{"status":"ok"}' };
      return problemResponse("unavailable", check.failing, { headers: { "retry-after": "2" } });
    }),
  );
}

const healths = new WeakMap<ServerContext, Health>();

function healthOf(context: ServerContext): Health {
  const known = healths.get(context);
  if (known !== undefined) return known;
  const health = new Health(context.db, context.disk);
  healths.set(context, health);
  return health;
}
