import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { LocalUrlNotice } from "./local-url-notice.tsx";

type CatchUrlCardProps = {
  readonly hook: {
    readonly catchUrl: string;
    readonly localHost: string | null;
    readonly knownProviderName: string | null;
  };
};

/** The catch URL of a hook to which nothing was sent yet. */
export function CatchUrlCard({ hook }: CatchUrlCardProps) {
  return (
    <Card className="grid gap-1.5 p-5">
      <p className="text-sm font-medium">Catch URL</p>
      <div data-commands="hook">
        <CopyLine text={hook.catchUrl} what="catch URL" />
      </div>
      <LocalUrlNotice localHost={hook.localHost} providerName={hook.knownProviderName} />
    </Card>
  );
}

/** The catch URL of a hook that already receives deliveries: small, and still easy to copy. */
export function CatchUrlLine({ catchUrl }: { readonly catchUrl: string }) {
  return (
    <p data-commands="hook" className="flex min-w-0 items-center gap-1 text-sm">
      <code title={catchUrl} className="min-w-0 truncate font-mono text-xs text-muted-foreground">
        {catchUrl}
      </code>
      <CopyButton text={catchUrl} what="catch URL" look="quiet" />
    </p>
  );
}
