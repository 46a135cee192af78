import type { ButtonLook } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type CopyLineProps = {
  readonly text: string;
  /** The thing that is copied, as in "Copy catch URL". */
  readonly what: string;
  readonly look?: ButtonLook;
  readonly testId?: string;
};

/** A text to copy, and the button that copies it: beside the text, or below it on phones. */
export function CopyLine({ text, what, look = "secondary", testId }: CopyLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code
        data-testid={testId}
        className={
          "min-w-0 flex-1 basis-60 rounded-md bg-muted px-3 py-2 font-mono text-xs leading-5 " +
          "wrap-anywhere text-foreground"
        }
      >
        {safeText(text)}
      </code>
      <CopyButton text={text} what={what} look={look} />
    </div>
  );
}
