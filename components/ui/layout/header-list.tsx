import { safeText } from "#components/ui/text/safe-text.ts";

/** Headers in received order and letter case. */
export function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  if (headers.length === 0) return <p className="text-sm text-muted-foreground">No headers.</p>;
  return (
    <dl className="grid gap-x-4 gap-y-1 font-mono text-xs sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {headers.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list never changes
        <div key={index} className="grid min-w-0 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="break-all text-muted-foreground">{safeText(name)}</dt>
          <dd className="min-w-0 break-all">{safeText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
