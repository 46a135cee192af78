import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { errorTable, toProblem } from "#lib/base/errors.ts";
import type { StorageCheck } from "#lib/db/postgres/check-storage.ts";

/**
 * Responds to `/api/health` like the dashboard, for a process without it: `ready` says the same,
 * and `live` that the process responds, whatever the database does. `otherwise` handles everything
 * else.
 */
export function createHealthHandler(
  check: () => Promise<StorageCheck>,
  otherwise: RequestListener,
): RequestListener {
  return (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && (path === "/api/health" || path === "/api/health/ready"))
      void respond(check, request, response);
    else if (isRead && path === "/api/health/live") void respond(alive, request, response);
    else otherwise(request, response);
  };
}

const alive = async (): Promise<StorageCheck> => ({ ok: true });

async function respond(
  check: () => Promise<StorageCheck>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = await check();
  const body = JSON.stringify(
    found.ok ? { status: "ok" } : toProblem("unavailable", found.failing),
  );
  response.writeHead(found.ok ? 200 : errorTable.unavailable.status, {
    "content-type": found.ok ? "application/json" : "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...(found.ok ? {} : { "retry-after": "2" }),
  });
  response.end(body);
  request.resume();
}
