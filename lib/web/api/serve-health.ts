import { problemResponse } from "#lib/core/api/api-response.ts";
import { checkHealth } from "#lib/services/frame/health.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
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
      const check = await checkHealth(serverContext());
      if (check.ok) return { status: 200, text: '{"status":"ok"}' };
      return problemResponse("unavailable", check.failing, { headers: { "retry-after": "2" } });
    }),
  );
}
