import { classNames } from "#components/ui/class-names.ts";
import { maskedProps } from "#components/ui/text/masked-props.ts";
import { safeText } from "#components/ui/text/safe-text.ts";

type HeaderListProps = {
  readonly headers: readonly (readonly [string, string])[];
  /** Each value is below its name. */
  readonly isNarrow?: boolean;
};

/** Headers in received order and letter case. */
export function HeaderList({ headers, isNarrow = false }: HeaderListProps) {
  if (headers.length === 0) return <p className="text-sm text-muted-foreground">No headers.</p>;
  return (
    <dl
      className={classNames(
        "grid gap-x-4 gap-y-1 font-mono text-xs",
        !isNarrow && "sm:grid-cols-[minmax(8rem,auto)_1fr]",
      )}
    >
      {headers.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list never changes
        <div key={index} className={classNames("grid min-w-0", !isNarrow && besideName)}>
          <dt className="text-muted-foreground [overflow-wrap:anywhere]">{safeText(name)}</dt>
          <dd {...maskedProps(value)} className="min-w-0 [overflow-wrap:anywhere]">
            {safeText(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const besideName = "sm:col-span-2 sm:grid-cols-subgrid";
