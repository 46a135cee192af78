import { z } from "zod";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { includeContent } from "#lib/core/verify/dedupe/include-content.ts";
import { defaultDedupe, readScheme } from "#lib/core/verify/hook/hook-rules.ts";
import { listDifferingDuplicates } from "#lib/db/deliveries/differing-duplicates.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import {
  type AcceptedDuplicates,
  acceptDuplicates,
} from "#lib/evaluate/stored/accept-duplicates.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { type DedupeRule, dedupeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { withEvaluationParts } from "#lib/services/evaluation.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";
import { updateHook } from "./update-hook.ts";

type CountedDuplicates = AcceptedDuplicates & { readonly dedupe: DedupeRule };

/**
 * Makes duplicates that say something else than their first delivery count as events: the hook's
 * rule includes the content from now on. Those that are stored are accepted, and their actions run,
 * unless `acceptStored` is false.
 */
export const countDuplicates = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    acceptStored: z.boolean({ error: "must be true or false" }).default(true),
  }),
  run: async (context, { id, acceptStored }): Promise<CountedDuplicates> => {
    const { db, actor } = context;
    if (acceptStored) authorize(actor, "deliveries:write");
    const before = await getHook(db, actor.accountId, id);
    const rule = findRuleWithContent(before);
    if (rule !== null) await updateHook(context, { id, dedupe: rule });
    const dedupe = rule ?? before.dedupe;
    if (!acceptStored) return { dedupe, accepted: 0, kept: 0 };
    // Before it begins: it works in many transactions, each of which lasts.
    await auditWithoutChange(context, {
      event: "hook.duplicates.accepted",
      targets: [{ type: "hook", id, name: before.name }],
    });
    const hook = { id: before.id, accountId: actor.accountId };
    const counts = await withEvaluationParts(context, (parts) => acceptDuplicates(db, hook, parts));
    return { dedupe, ...counts };
  },
});

/**
 * The hook's rule together with what deliveries say. Null: it includes that already. What isn't
 * signed must not make a captured body another event.
 */
function findRuleWithContent(
  hook: Pick<HookRecord, "provider" | "verification" | "dedupe">,
): DedupeRule | null {
  const scheme = findProvider(hook.provider)?.scheme ?? readScheme(hook.verification);
  const isSigned = scheme !== null && !["token", "basic", "bearer"].includes(scheme.kind);
  const rule = includeContent(hook.dedupe, { from: isSigned ? "content" : "request" });
  return rule === null ? null : dedupeRuleSchema.parse(rule.length === 1 ? rule[0] : rule);
}

/** The number of duplicates that the hook's page compares, newest first. */
const maxCompared = 100;

/** The number of recent duplicates of a hook that differ from their first delivery and could count as events. */
export async function countDifferingDuplicates(db: Database, hook: HookRecord): Promise<number> {
  if (!canCountDuplicates(hook)) return 0;
  return (await listDifferingDuplicates(db, hook, maxCompared)).length;
}

/**
 * True if a duplicate that differs may be another event. The rule of a provider in the catalog says
 * what its events have in common, and some change a counter in each attempt.
 */
export function canCountDuplicates(hook: HookRecord): boolean {
  const isProviders =
    findProvider(hook.provider) !== undefined &&
    JSON.stringify(hook.dedupe) === JSON.stringify(defaultDedupe(hook.provider));
  return !isProviders && findRuleWithContent(hook) !== null;
}
