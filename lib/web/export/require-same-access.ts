import { AppError } from "#lib/base/errors.ts";
import type { Permission } from "#lib/schema/account/permissions.ts";
import { type Actor, maskedFieldsOf } from "#lib/services/frame/actor.ts";
import { authorize } from "#lib/services/frame/authorize.ts";

/**
 * Throws `forbidden` unless an actor, as it is now, may still read the rest of an export, and sees the
 * same fields as at its start: an export can last for hours.
 */
export function requireSameAccess(atStart: Actor, now: Actor, permission: Permission): void {
  authorize(now, permission);
  if (maskedFieldsOf(atStart).join("\n") === maskedFieldsOf(now).join("\n")) return;
  throw new AppError("forbidden", "Other fields are masked for you now. Start the export again.");
}
