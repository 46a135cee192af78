import { ChevronRight } from "lucide-react";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type CatalogView = {
  readonly name: string;
  readonly description: string | null;
  readonly deprecated: boolean;
};

type CatalogProps = {
  readonly entries: readonly CatalogView[];
  /** The path of the catalog. Each type has a page below it. */
  readonly path: string;
};

/** Event types by name. Each has a page of its own. */
export function EventTypeCatalog({ entries, path }: CatalogProps) {
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
            <Link
              href={`${path}/${encodeURIComponent(entry.name)}`}
              className="flex items-start justify-between gap-3 px-4 py-3 -outline-offset-2 hover:bg-muted/50 sm:px-5"
            >
              <Title entry={entry} />
              <ChevronRight
                aria-hidden
                size={15}
                className="mt-0.5 shrink-0 text-muted-foreground"
              />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Title({ entry: { name, description, deprecated } }: { entry: CatalogView }) {
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 font-mono text-sm font-medium wrap-anywhere">
          {safeText(name)}
        </code>
        {deprecated && <Badge tone="caution">Deprecated</Badge>}
      </span>
      {description !== null && (
        <span className="text-sm break-words text-muted-foreground">{safeText(description)}</span>
      )}
    </span>
  );
}
