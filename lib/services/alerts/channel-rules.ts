import { AppError, invalidField } from "#lib/base/errors.ts";
import { checkUrl, toFieldCode } from "#lib/core/sending/address/check-url.ts";
import { requireOtherServer } from "#lib/services/frame/require-other-server.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** Throws `invalid_request` for a URL that may not be called. Returns its host, which may be shown. */
export function requireChannelUrl(text: string, parts: Pick<ServiceParts, "env">): string {
  const checked = checkUrl(text, parts.env.egressAllow);
  if (!checked.ok) throw invalidField("url", checked.message, toFieldCode(checked.code));
  const instead = "Enter the URL of another system.";
  requireOtherServer(checked.url, parts, { path: "url", instead });
  return checked.url.host;
}

/** Throws `conflict` if this server sends no email. */
export function requireMail({ env }: Pick<ServiceParts, "env">): void {
  if (env.mail !== undefined) return;
  throw new AppError(
    "conflict",
    "This server sends no email. Its operator can set SMTP_URL and CATCHMENT_MAIL_FROM.",
  );
}
