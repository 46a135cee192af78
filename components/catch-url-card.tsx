import type { HookStatus } from "#lib/schema/hook.ts";
import { type AddSecret, AddSecretForm, type MissingProof } from "./add-secret-form.tsx";
import { Card } from "./ui/card.tsx";
import { CopyButton } from "./ui/copy-button.tsx";
import { Notice } from "./ui/notice.tsx";

type CatchUrlCardProps = {
  readonly hook: {
    readonly id: string;
    readonly catchUrl: string;
    readonly status: HookStatus;
    readonly missing: MissingProof | null;
  };
  readonly addSecret: AddSecret;
};

/** The URL to give away, and what keeps it from working. */
export function CatchUrlCard({ hook, addSecret }: CatchUrlCardProps) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Catch URL</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-xs break-all">
            {hook.catchUrl}
          </code>
          <CopyButton text={hook.catchUrl} what="catch URL" />
        </div>
      </div>
      {hook.missing !== null && (
        <>
          {/* What becomes of deliveries while it waits stands above. */}
          {hook.status !== "pending" && (
            <Notice tone="caution">
              Nothing proves yet who sends: every delivery is refused until you add the signing secret that
              the sender shows.
            </Notice>
          )}
          <AddSecretForm hookId={hook.id} missing={hook.missing} addSecret={addSecret} />
        </>
      )}
    </Card>
  );
}
