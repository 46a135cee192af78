import { freshJson, respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { readPaletteCounts } from "#lib/web/search/read-search.ts";

/** The effects of the palette's commands, read when it opens. */
export async function GET(): Promise<Response> {
  return await respondToPage(async (context) => freshJson(await readPaletteCounts(context)));
}
