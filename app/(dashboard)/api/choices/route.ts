import type { NextRequest } from "next/server";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { findChoices } from "#lib/web/search/find-choices.ts";

/**
 * The choices of a filter's picker: `?of=hooks&q=<text>` or `?of=actions&q=<text>&hookId=<id>`. The
 * text and the hook may be left out.
 */
export async function GET(request: NextRequest): Promise<Response> {
  if ((await readSession()) === null)
    return Response.json({ choices: [] }, { status: 401, headers });
  const params = request.nextUrl.searchParams;
  const found = await findChoices(await pageContext(), {
    of: params.get("of") === "actions" ? "actions" : "hooks",
    text: params.get("q") ?? "",
    hookId: params.get("hookId") ?? "",
  });
  return Response.json(found, { headers });
}

const headers = { "cache-control": "no-store" };
