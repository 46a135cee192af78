import { ChevronRight } from "lucide-react";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";

export type CatalogView = {
  readonly name: string;
  readonly description: string | null;
  readonly deprecated: boolean;
  /** JSON text. Null: no schema. */
  readonly schema: string | null;
  readonly example: string | null;
};

/** Event types by name. Each opens to its example and the schema of its data. */
export function EventTypeCatalog({ entries }: { entries: readonly CatalogView[] }) {
  if (entries.length === 0)
    return (
      <EmptyState title="No event types described yet">
        <p>Subscriptions can still get all events.</p>
      </EmptyState>
    );
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y">
        {entries.map((entry) => (
          <li key={entry.name} id={entry.name} className="min-w-0 scroll-mt-4">
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Entry({ entry }: { entry: CatalogView }) {
  const { example, schema } = entry;
  if (example === null && schema === null)
    return (
      <div className="py-3 pr-4 pl-10 sm:pr-5">
        <Title entry={entry} />
      </div>
    );
  return (
    <details className="group">
      <summary
        className={
          "flex cursor-pointer items-start gap-2.5 px-4 py-3 -outline-offset-2 " +
          "marker:content-none hover:bg-muted/50 sm:pr-5 [&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={15}
          className="mt-0.5 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
        <Title entry={entry} />
      </summary>
      <div className="grid min-w-0 grid-cols-1 gap-4 px-4 pt-1 pb-5 sm:pl-10">
        {example !== null && <Part title="Example" name={entry.name} text={example} />}
        {schema !== null && <Part title="JSON Schema" name={entry.name} text={schema} />}
      </div>
    </details>
  );
}

function Title({ entry: { name, description, deprecated } }: { entry: CatalogView }) {
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 font-mono text-sm font-medium break-all">{safeText(name)}</code>
        {deprecated && <Badge tone="caution">Deprecated</Badge>}
      </span>
      {description !== null && (
        <span className="text-sm break-words text-muted-foreground">{safeText(description)}</span>
      )}
    </span>
  );
}

function Part({ title, name, text }: { title: string; name: string; text: string }) {
  const shown = formatBody(text) ?? text;
  const label = `${title} of ${name}`;
  return (
    <section aria-label={label} className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-xs font-semibold">{title === "Example" ? "Example data" : title}</h2>
        <CopyButton text={shown} what={label} />
      </div>
      <TextBlock label={`${label}, text`} text={shown} keepsLines />
    </section>
  );
}
