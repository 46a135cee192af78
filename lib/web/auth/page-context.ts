import { maskedContext, type ServerContext } from "#lib/web/request/server-context.ts";
import { requireSession } from "./session.ts";

/**
 * What a page of the dashboard reads from: its database shows the signed-in user no masked field.
 * Redirects to the sign-in page.
 */
export async function pageContext(): Promise<ServerContext> {
  const { maskedFields } = await requireSession();
  return maskedContext(maskedFields);
}
