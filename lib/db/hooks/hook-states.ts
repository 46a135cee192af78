import type { Database } from "#lib/db/postgres/client.ts";
import { type HookStatus, hookStateSchema } from "#lib/schema/receive/hook.ts";
import { type HookVerification, hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import { toStatus } from "./hook-record.ts";

type HookStateView = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly provider: string;
  readonly verification: HookVerification | null;
  readonly hasSecret: boolean;
};

/** The maximum number of hooks, more than an account has. */
const maxHooks = 1_000;

/**
 * Lists the state of hooks and what they need to work, newest first, without their other settings.
 */
export async function listHookStates(
  db: Database,
  accountId: string,
): Promise<readonly HookStateView[]> {
  const rows = await db.$queryRaw<(HookStateView & { isPending: boolean })[]>`
    select id, name, status, provider, verification, pending_since is not null as "isPending",
      exists (
        select from hook_secrets
        where hook_id = hooks.id and (expires_at is null or expires_at > now())
      ) as "hasSecret"
    from hooks where account_id = ${accountId}::uuid and deleted_at is null
    order by id desc limit ${maxHooks}::int`;
  return rows.map(({ isPending, ...row }) => ({
    ...row,
    status: toStatus(hookStateSchema.parse(row.status), isPending),
    verification: hookVerificationSchema.nullable().parse(row.verification),
  }));
}
