import { safeText } from "./safe-text.ts";

/** A sentence with code in backticks, as in the API and the documentation. */
export function CodeText({ text }: { text: string }) {
  return text.split(/`([^`]+)`/u).map((part, index) =>
    index % 2 === 0 ? (
      safeText(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by position only
      <code key={index} className="rounded-sm bg-muted px-1 font-mono text-[0.9em] wrap-anywhere">
        {safeText(part)}
      </code>
    ),
  );
}
