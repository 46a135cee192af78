import { maskedContext, type ServerContext } from "#lib/services/frame/server-context.ts";
import { requireSession } from "./session.ts";

/**
 * The context of a page of the dashboard: its database shows the signed-in user no masked field.
 * Redirects to the sign-in page.
 */
export async function pageContext(): Promise<ServerContext> {
  const { maskedFields } = await requireSession();
  return maskedContext(maskedFields);
}
