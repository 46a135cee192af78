import type { NextRequest } from "next/server";
import { freshJson, respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { findChoices } from "#lib/web/search/find-choices.ts";

/**
 * The choices of a filter's picker: `?of=hooks&q=<text>` or `?of=actions&q=<text>&hookId=<id>`. The
 * text and the hook may be left out.
 */
export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const params = nextUrl.searchParams;
  return await respondToPage(async (context) =>
    freshJson(
      await findChoices(context, {
        of: params.get("of") === "actions" ? "actions" : "hooks",
        text: params.get("q") ?? "",
        hookId: params.get("hookId") ?? "",
      }),
    ),
  );
}
