import { Card } from "#components/ui/layout/card.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type ListenerCommands, ListenerMenu } from "./listener-menu.tsx";
import { type ListenerRow, type ListenerView, toListenerRows } from "./listener-row.ts";

type HookListenersProps = ListenerCommands & {
  /** Newest first. */
  readonly listeners: readonly ListenerView[];
  readonly hasMore: boolean;
  readonly nowMs: number;
};

/** The programs that hear a hook's deliveries. Nothing if there are none. */
export function HookListeners({ listeners, hasMore, nowMs, ...commands }: HookListenersProps) {
  if (listeners.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="listeners">
      <h2 id="listeners" className="text-lg font-semibold tracking-tight">
        Listeners
      </h2>
      <Card>
        <ul className="divide-y">
          {toListenerRows(listeners).map((row) => (
            <Row key={row.key} row={row} nowMs={nowMs} {...commands} />
          ))}
        </ul>
      </Card>
      {hasMore && (
        <p className="text-sm text-muted-foreground">
          These are the newest {listeners.length}. The API lists all.
        </p>
      )}
    </section>
  );
}

type RowProps = ListenerCommands & { readonly row: ListenerRow; readonly nowMs: number };

/** The columns keep their widths, so that nothing moves when a count or a time changes. */
function Row({ row, nowMs, ...commands }: RowProps) {
  const { listener, connection, title, detail, lag } = row;
  return (
    <li className="flex items-center gap-x-4 px-4 py-2 text-sm">
      <div className="grid min-h-9 min-w-0 flex-1 items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_10rem_13rem]">
        <p className="flex min-w-0 items-baseline gap-x-2">
          <span className="max-w-[60%] shrink-0 truncate font-medium" title={safeText(title)}>
            {safeText(title)}
          </span>
          <span className="min-w-0 truncate text-muted-foreground" title={safeText(detail)}>
            {safeText(detail)}
          </span>
        </p>
        <p className="contents max-md:flex max-md:gap-x-3">
          <span className="whitespace-nowrap tabular-nums">{lag}</span>
          <span className="truncate text-muted-foreground">
            {connection === null ? "Away, last seen " : "Connected "}
            <RelativeTime at={connection?.connectedAt ?? listener.seenAt} nowMs={nowMs} />
          </span>
        </p>
      </div>
      <ListenerMenu row={row} {...commands} />
    </li>
  );
}
