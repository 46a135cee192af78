import { problemResponse } from "#lib/core/api/api-response.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { respond } from "./api-response.ts";
import { respondToGet } from "./respond-to-get.ts";

let health: Health | undefined;

/** Reports to load balancers and people if deliveries can be stored, and nothing else. */
export async function serveHealth(request: Request): Promise<Response> {
  return await respond(request, () =>
    respondToGet(request, async () => {
      health ??= openHealth();
      const check = await health.check();
      if (check.ok) return { status: 200, text: '{"status":"ok"}' };
      return problemResponse("unavailable", check.failing, { headers: { "retry-after": "2" } });
    }),
  );
}

function openHealth(): Health {
  const { db, disk } = serverContext();
  return new Health(db, disk);
}
