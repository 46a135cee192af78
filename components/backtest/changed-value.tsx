import { safeText } from "#components/ui/text/safe-text.ts";
import { shorten } from "#lib/base/shorten.ts";

type ChangedValueProps = {
  readonly path: string;
  /** JSON or text. Null: it wasn't there. */
  readonly before: string | null;
  /** Null: it is no longer there. */
  readonly after: string | null;
};

/** A value before and after, on one line. */
export function ChangedValue({ path, before, after }: ChangedValueProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 font-mono text-xs">
      <span className="wrap-anywhere text-muted-foreground">{safeText(path)}</span>
      <del className={before === null ? none : "wrap-anywhere text-negative no-underline"}>
        {toShown(before)}
      </del>
      <span aria-hidden>→</span>
      <span className="sr-only">becomes</span>
      <ins className={after === null ? none : "wrap-anywhere text-positive no-underline"}>
        {toShown(after)}
      </ins>
    </span>
  );
}

const none = "text-muted-foreground no-underline";
const maxChars = 60;

function toShown(value: string | null): string {
  return value === null ? "nothing" : safeText(shorten(value, maxChars));
}
