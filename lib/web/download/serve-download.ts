import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { Permission } from "#lib/schema/account/permissions.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { findSessionUser, type SessionUser } from "#lib/services/sign-in/sessions.ts";
import { explainError, respond } from "#lib/web/api/api-response.ts";
import { routes } from "#lib/web/api/routes.ts";
import { userContext } from "#lib/web/auth/page-context.ts";
import { requireSameAccess } from "#lib/web/export/require-same-access.ts";
import { respondWithRows } from "#lib/web/export/respond-with-rows.ts";
import type { RowFormat } from "#lib/web/export/row-format.ts";
import type { StreamEnd } from "#lib/web/export/stream-rows.ts";
import { readListQuery } from "#lib/web/request/list-query.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { exportRows } from "#lib/web/route/export-route.ts";
import { isServed, type ServedRoute } from "#lib/web/route/route.ts";
import { recordProgress } from "./download-progress.ts";

/**
 * An export as a file, for a page: `?list=deliveries&format=csv&download=<id>&…filters`. The filters
 * are those of the page's URL. The page asks for the progress of its id.
 */
export async function serveDownload(request: Request, session: SessionUser): Promise<Response> {
  return await respond(request, async () => {
    const {
      list = "",
      format,
      download = "",
      ...values
    } = Object.fromEntries(new URL(request.url).searchParams);
    const route = routes.filter(isServed).find(({ path }) => path === `/${list}/export`);
    if (route === undefined) throw new AppError("not_found", "There is no such list.");
    const filter = readFilter(route, values);
    const chosen: RowFormat = format === "ndjson" ? "ndjson" : "csv";
    const context = userContext(session, readRequestOrigin(request.headers));
    const call = {
      signal: request.signal,
      accept: null,
      recheck: () => recheck(context.actor, session, route.permission),
      explain: (error: unknown) => explainError(error, request),
    };
    return await respondWithRows(() => exportRows(route, context, filter, call), {
      ...call,
      accountId: session.accountId,
      format: chosen,
      hasMark: true,
      headers: { "content-disposition": `attachment; filename="${nameFile(list, chosen)}"` },
      ...(/^[0-9a-f]{32}$/.test(download) && followProgress(session.accountId, download)),
    });
  });
}

/** The session may show another account meanwhile. */
async function recheck(atStart: Actor, session: SessionUser, permission: Permission) {
  const now = await findSessionUser(serverContext().db, session, session.accountId);
  if (now === null) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
  requireSameAccess(atStart, userContext(now).actor, permission);
}

/** The filters of a page's URL as the API takes them. */
function readFilter({ input }: ServedRoute, values: Readonly<Record<string, string>>) {
  const names = Object.keys(values).filter((name) => !["since", "from", "to"].includes(name));
  if (!(input instanceof z.ZodObject)) throw new Error("The input of a list has fields");
  const options = { names, schema: input, nowMs: Date.now() };
  const { asked, problems } = readListQuery(values, options);
  const [problem] = Object.entries(problems);
  if (problem !== undefined) throw new AppError("invalid_request", `${problem[0]}: ${problem[1]}.`);
  return asked;
}

function nameFile(list: string, format: RowFormat): string {
  return `${list}-${new Date().toISOString().slice(0, 16).replace(":", "")}.${format}`;
}

function followProgress(accountId: string, id: string) {
  let rows = 0;
  recordProgress(accountId, id, { state: "running", rows });
  return {
    onRows: (count: number) => {
      rows = count;
      recordProgress(accountId, id, { state: "running", rows });
    },
    onEnd: (end: StreamEnd) => {
      const detail = end.kind === "failed" ? { detail: end.detail } : {};
      recordProgress(accountId, id, { state: end.kind, rows, ...detail });
    },
  };
}
