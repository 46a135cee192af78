import type { NextRequest } from "next/server";
import { freshJson, respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { readSearch } from "#lib/web/search/read-search.ts";

/**
 * The command palette's search results in the user's account: `?q=<text>`. A route instead of a
 * command, so that the browser can abort it when the text changes, and it never waits for a change.
 */
export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const text = nextUrl.searchParams.get("q") ?? "";
  return await respondToPage(async (context) =>
    freshJson({ hits: await readSearch(context, text) }),
  );
}
