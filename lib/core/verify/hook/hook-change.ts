/** The values of a hook's fields after it is created or changed. */
import type { HookInput, HookPatch } from "#lib/schema/receive/hook.ts";
import {
  defaultTolerance,
  isComplete,
  isSecretFromHandshake,
  requireCanBePending,
  requireTolerance,
  type VerificationRule,
} from "./hook-rules.ts";

/** The fields of the stored hook that the plan depends on. */
type StoredHook = {
  readonly provider: string;
  readonly toleranceSeconds: number | null;
  readonly secrets: readonly unknown[];
  readonly pending: { readonly since: Date } | null;
};

/** A new hook is pending if its owner says so, or if its provider sends the secret itself. */
export function pendingSinceOfNew(
  { status, signingSecret }: Pick<HookInput, "status" | "signingSecret">,
  rule: VerificationRule,
  now: Date,
): Date | null {
  const hasSecret = signingSecret !== undefined;
  if (status === "pending") requireCanBePending(rule, hasSecret);
  const isPending =
    status === undefined ? isSecretFromHandshake(rule) && !hasSecret : status === "pending";
  return isPending ? now : null;
}

/**
 * A hook is pending if its owner says so or its provider sends the secret itself, while something
 * is missing. Losing its secrets later doesn't make it pending.
 */
export function pendingSinceAfter(
  { status, signingSecret }: Pick<HookPatch, "status" | "signingSecret">,
  before: StoredHook,
  rule: VerificationRule,
  now: Date,
): Date | null {
  const hasSecret =
    signingSecret === undefined ? before.secrets.length > 0 : signingSecret !== null;
  if (status === "pending") requireCanBePending(rule, hasSecret);
  if (isComplete(rule, hasSecret)) return null;
  const begins =
    status === "pending" || (rule.provider !== before.provider && isSecretFromHandshake(rule));
  return before.pending?.since ?? (begins ? now : null);
}

/** A tolerance stays while the hook's provider signs a time. */
export function toleranceAfter(
  wanted: number | null | undefined,
  before: StoredHook,
  rule: VerificationRule,
): number | null {
  if (wanted === undefined) return defaultTolerance(rule) === null ? null : before.toleranceSeconds;
  requireTolerance(rule, wanted);
  return wanted;
}

/**
 * A rule that equals a default of its provider follows a change of provider.
 *
 * @param listDefaults the provider's default, then those of earlier versions
 */
export function followDefault<Rule>(
  wanted: Rule | undefined,
  stored: Rule,
  listDefaults: (provider: string) => readonly [Rule, ...Rule[]],
  { from, to }: { readonly from: string; readonly to: string },
): Rule {
  if (wanted !== undefined) return wanted;
  const text = JSON.stringify(stored);
  const wasDefault = listDefaults(from).some((rule) => JSON.stringify(rule) === text);
  return from !== to && wasDefault ? listDefaults(to)[0] : stored;
}
