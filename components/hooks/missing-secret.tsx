import { Restricted } from "#components/permissions/restricted.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import type { AddSecret, MissingProof } from "./add-secret-form.tsx";
import { LazyAddSecretForm } from "./lazy-add-secret-form.tsx";

type MissingSecretProps = {
  readonly hook: {
    readonly id: string;
    readonly status: HookStatus;
    readonly missing: MissingProof | null;
  };
  readonly addSecret: AddSecret;
};

/** Asks for the signing secret that a hook lacks. */
export function MissingSecret({ hook, addSecret }: MissingSecretProps) {
  if (hook.missing === null) return null;
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      {/* The note under the title says what happens to deliveries of a pending hook. */}
      {hook.status !== "pending" && (
        <Notice tone="caution">
          Every delivery is rejected until you add the provider's signing secret.
        </Notice>
      )}
      <Restricted to="hooks:write">
        <LazyAddSecretForm hookId={hook.id} missing={hook.missing} addSecret={addSecret} />
      </Restricted>
    </Card>
  );
}
