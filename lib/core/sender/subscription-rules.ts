import type { AllowList } from "#lib/core/address/allow-list.ts";
import { checkUrl, toFieldCode } from "#lib/core/address/check-url.ts";
import { invalidField } from "#lib/errors.ts";

/** Throws `invalid_request` for a receiver URL that may not be called, as far as its text tells. */
export function requireCallableUrl(receiverUrl: string, allowList: AllowList): void {
  const checked = checkUrl(receiverUrl, allowList);
  if (checked.ok) return;
  throw invalidField("receiverUrl", checked.message, toFieldCode(checked.code));
}

/** Stored headers may be credentials, and they were given for one origin. */
export function requireSameOrigin(before: string, after: string): void {
  const origin = URL.parse(before)?.origin;
  if (origin !== undefined && origin === URL.parse(after)?.origin) return;
  throw invalidField(
    "headers",
    "must be entered again or set to null: the stored headers are for another origin",
    "required",
  );
}
