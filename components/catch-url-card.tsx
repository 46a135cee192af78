import { type AddSecret, AddSecretForm } from "./add-secret-form.tsx";
import { Card } from "./ui/card.tsx";
import { CopyButton } from "./ui/copy-button.tsx";

type CatchUrlCardProps = {
  readonly hook: {
    readonly id: string;
    readonly catchUrl: string;
    readonly isSecretMissing: boolean;
    readonly whereToPaste: string | null;
    /** Sends an example; null where a signature would be missing. */
    readonly testCommand: string | null;
  };
  /** Nothing has arrived yet. */
  readonly isWaiting: boolean;
  readonly addSecret: AddSecret;
};

/** The URL to give away; until something has arrived, also where to paste it and how to try it. */
export function CatchUrlCard({ hook, isWaiting, addSecret }: CatchUrlCardProps) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      {isWaiting && (
        <div className="flex items-center gap-3" role="status">
          <span aria-hidden className="relative flex size-2.5">
            <span className="absolute inline-flex size-full animate-ping rounded-full bg-primary opacity-60 motion-reduce:animate-none" />
            <span className="inline-flex size-2.5 rounded-full bg-primary" />
          </span>
          <h2 className="font-semibold">Waiting for the first delivery</h2>
        </div>
      )}
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Catch URL</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-xs break-all">
            {hook.catchUrl}
          </code>
          <CopyButton text={hook.catchUrl} what="catch URL" look={isWaiting ? "primary" : "secondary"} />
        </div>
      </div>
      {isWaiting && (
        <div className="grid gap-3 text-sm text-muted-foreground">
          <p>
            {hook.whereToPaste ??
              "Paste it where the other system asks for a webhook or callback URL, and let it send an event. What arrives shows up here by itself."}
          </p>
          {hook.testCommand !== null && (
            <div className="flex flex-wrap items-center gap-3">
              <CopyButton text={hook.testCommand} what="a test as curl" label="Copy a test as curl" />
              <span>Run it in a terminal to see how a delivery looks.</span>
            </div>
          )}
        </div>
      )}
      {hook.isSecretMissing && <AddSecretForm hookId={hook.id} addSecret={addSecret} />}
    </Card>
  );
}
