import { isResetLinkOpen } from "#lib/services/sign-in/reset-password.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** True if a forgotten password can be reset by email. */
export function canResetByEmail({ env }: ServerContext): boolean {
  return env.mail !== undefined;
}

/** The state of the link that resets a password. */
export async function readResetPage(context: ServerContext, token: string) {
  return { isOpen: await isResetLinkOpen(context, token) };
}
