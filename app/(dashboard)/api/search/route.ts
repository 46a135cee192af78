import type { NextRequest } from "next/server";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { readSearch } from "#lib/web/search/read-search.ts";

/**
 * The command palette's search results in the user's account: `?q=<text>`. A route instead of a
 * command, so that the browser can abort it when the text changes, and it never waits for a change.
 */
export async function GET(request: NextRequest): Promise<Response> {
  if ((await readSession()) === null) return Response.json({ hits: [] }, { status: 401, headers });
  const text = request.nextUrl.searchParams.get("q") ?? "";
  const hits = await readSearch(await pageContext(), text);
  return Response.json({ hits }, { headers });
}

const headers = { "cache-control": "no-store" };
