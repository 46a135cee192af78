import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";

export type BreakingChange = { readonly path: string; readonly message: string };

type BreakingChangesProps = {
  readonly changes: readonly BreakingChange[];
  /** The maximum that is listed. Default: all. */
  readonly shown?: number;
};

/** What breaks receivers of the version before, such as "data.total may be integer". */
export function BreakingChanges({ changes, shown = changes.length }: BreakingChangesProps) {
  const more = changes.length - shown;
  return (
    <ul className="grid gap-0.5 text-sm">
      {changes.slice(0, shown).map(({ path, message }) => (
        <li key={`${path} ${message}`} className="break-words text-muted-foreground">
          <code className="font-mono text-xs text-foreground">{safeText(path)}</code>{" "}
          {safeText(message)}
        </li>
      ))}
      {more > 0 && (
        <li className="text-muted-foreground">And {describeCount(more, "more change")}</li>
      )}
    </ul>
  );
}
