import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { BacktestRequest } from "#lib/schema/act/backtest.ts";

const kinds: Readonly<Record<BacktestRequest["change"], { label: string; tone: Tone }>> = {
  same: { label: "Same", tone: "neutral" },
  changed: { label: "Changed", tone: "caution" },
  added: { label: "Added", tone: "positive" },
  removed: { label: "Removed", tone: "negative" },
  new: { label: "New", tone: "positive" },
};

/** A request of the draft, and each value that differs from the request of the saved action. */
export function RequestChanges({ request }: { request: BacktestRequest }) {
  const { step, item, kind, method, url, change, changes, moreChanges } = request;
  const { label, tone } = kinds[change];
  const place = item === null ? step : `${step} ${item + 1}`;
  return (
    <section aria-label={`Step ${place}`} className="grid min-w-0 grid-cols-1 gap-2">
      <h2 className="flex flex-wrap items-center gap-2 font-medium">
        <Badge tone={tone}>{label}</Badge>
        <span>{place}</span>
        <code className="min-w-0 font-normal wrap-anywhere">
          {kind === "publish" ? "Publishes an event" : safeText(`${method} ${url}`)}
        </code>
      </h2>
      {changes.length > 0 && (
        <dl className="grid gap-2 rounded-md border bg-card p-3">
          {changes.map(({ path, before, after }) => (
            <div key={path} className="grid min-w-0 gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
              <dt className="font-mono text-xs wrap-anywhere text-muted-foreground sm:py-0.5">
                {safeText(path)}
              </dt>
              <dd className="grid min-w-0 gap-0.5 font-mono text-xs wrap-anywhere">
                {before !== null && (
                  <del className="text-negative no-underline">
                    <span aria-hidden>− </span>
                    {safeText(before)}
                  </del>
                )}
                {after !== null && (
                  <ins className="text-positive no-underline">
                    <span aria-hidden>+ </span>
                    {safeText(after)}
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {moreChanges > 0 && (
        <p className="text-muted-foreground">
          {moreChanges.toLocaleString("en")} more{" "}
          {moreChanges === 1 ? "difference isn't" : "differences aren't"} shown.
        </p>
      )}
    </section>
  );
}
