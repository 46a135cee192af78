import { problemAnswer, toResponse } from "#lib/web/api-answer.ts";
import { Health } from "#lib/web/health.ts";
import { serverContext } from "#lib/web/server-context.ts";

let health: Health | undefined;

/** For load balancers and people: tells a stranger whether deliveries can be stored, and nothing else. */
export async function GET(): Promise<Response> {
  health ??= openHealth();
  const check = await health.check();
  if (check.ok) return toResponse({ status: 200, text: '{"status":"ok"}' });
  return toResponse(problemAnswer("unavailable", check.failing, { headers: { "retry-after": "2" } }));
}

function openHealth(): Health {
  const { db, disk } = serverContext();
  return new Health(db, disk);
}
