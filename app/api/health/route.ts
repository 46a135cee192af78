import { type ApiAnswer, problemAnswer } from "#lib/core/api/api-answer.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { apiRoute } from "#lib/web/rest/api-route.ts";

let health: Health | undefined;

/** For load balancers and people: says whether deliveries can be stored, and nothing else. */
async function answerHealth(): Promise<ApiAnswer> {
  health ??= openHealth();
  const check = await health.check();
  if (check.ok) return { status: 200, text: '{"status":"ok"}' };
  return problemAnswer("unavailable", check.failing, { headers: { "retry-after": "2" } });
}

function openHealth(): Health {
  const { db, disk } = serverContext();
  return new Health(db, disk);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: answerHealth });
