import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { HookStatus } from "#lib/schema/hook.ts";
import { type AddSecret, AddSecretForm, type MissingProof } from "./add-secret-form.tsx";
import { LocalUrlNotice } from "./local-url-notice.tsx";

type CatchUrlCardProps = {
  readonly hook: {
    readonly id: string;
    readonly catchUrl: string;
    readonly localHost: string | null;
    readonly knownProviderName: string | null;
    readonly status: HookStatus;
    readonly missing: MissingProof | null;
  };
  readonly addSecret: AddSecret;
};

/** The catch URL, and the reason why it doesn't work yet. */
export function CatchUrlCard({ hook, addSecret }: CatchUrlCardProps) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Catch URL</p>
        <div data-commands="hook" className="flex items-center gap-2">
          <code className="min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-xs break-all">
            {hook.catchUrl}
          </code>
          <CopyButton text={hook.catchUrl} what="catch URL" />
        </div>
        <LocalUrlNotice localHost={hook.localHost} providerName={hook.knownProviderName} />
      </div>
      {hook.missing !== null && (
        <>
          {/* The notice above says what happens to deliveries meanwhile. */}
          {hook.status !== "pending" && (
            <Notice tone="caution">
              Every delivery is rejected until you add the provider's signing secret.
            </Notice>
          )}
          <AddSecretForm hookId={hook.id} missing={hook.missing} addSecret={addSecret} />
        </>
      )}
    </Card>
  );
}
