import { classNames } from "#components/ui/class-names.ts";
import { safeBlock } from "./safe-text.ts";

type TextBlockProps = {
  readonly label: string;
  readonly text: string;
  /** Scrolls sideways instead of wrapping, because columns matter. */
  readonly keepsLines?: boolean;
  /** A note that is shown below if the end is left out. */
  readonly cutNote?: string | null;
};

/** Untrusted text, shown unchanged. */
export function TextBlock({ label, text, keepsLines = false, cutNote = null }: TextBlockProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md bg-muted p-3"
      >
        <pre
          className={classNames(
            "font-mono text-xs",
            keepsLines ? "w-max" : "whitespace-pre-wrap [overflow-wrap:anywhere]",
          )}
        >
          {safeBlock(text)}
        </pre>
      </section>
      {cutNote !== null && <p className="text-xs text-muted-foreground">{cutNote}</p>}
    </div>
  );
}
