import { CopyButton } from "#components/ui/button/copy-button.tsx";

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
