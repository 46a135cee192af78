import { safeText } from "#components/ui/safe-text.ts";

/** A sentence in which backticks set off what is code, as the API and the documentation write it. */
export function CodeText({ text }: { text: string }) {
  return text.split(/`([^`]+)`/u).map((part, index) =>
    index % 2 === 0 ? (
      safeText(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity but their place
      <code key={index} className="rounded-sm bg-muted px-1 font-mono text-[0.9em] break-all">
        {safeText(part)}
      </code>
    ),
  );
}
