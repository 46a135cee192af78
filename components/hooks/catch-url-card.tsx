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
