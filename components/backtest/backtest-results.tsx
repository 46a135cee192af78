import { ChevronRight } from "lucide-react";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { describeResult, outcomes, type ResultView } from "./describe-result.ts";
import { RequestChanges } from "./request-changes.tsx";

type BacktestResultsProps = {
  readonly results: readonly ResultView[];
  /** The version that they are compared with. Null: the one in force, or none. */
  readonly other: number | null;
  readonly nowMs: number;
};

/** One line per delivery. Expanded, it shows each request and its differences. */
export function BacktestResults({ results, other, nowMs }: BacktestResultsProps) {
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Results" className="divide-y text-sm">
        {results.map((result) => (
          <li key={result.deliveryId}>
            <Result result={result} other={other} nowMs={nowMs} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type ResultProps = Omit<BacktestResultsProps, "results"> & { readonly result: ResultView };

function Result({ result, other, nowMs }: ResultProps) {
  const { outcome, isChanged, eventType, receivedAt } = result;
  const { label, tone } = outcomes[outcome];
  return (
    <details className="group/result">
      <summary
        className={
          "flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 " +
          "-outline-offset-2 marker:content-none hover:bg-muted " +
          "[&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={15}
          className="shrink-0 transition-transform group-open/result:rotate-90"
        />
        <span className="flex w-44 shrink-0 items-baseline gap-2">
          <QuietStatus tone={tone}>{label}</QuietStatus>
          {isChanged && <Badge tone="caution">Changed</Badge>}
        </span>
        <span className="min-w-40 flex-1 basis-72 truncate">
          {safeText(describeResult(result, other))}
        </span>
        <span className="max-w-60 truncate text-muted-foreground">
          {eventType === null ? "No event type" : safeText(eventType)}
        </span>
        <span className="ml-auto w-28 text-right text-muted-foreground tabular-nums">
          {receivedAt === null ? "Deleted" : <RelativeTime at={receivedAt} nowMs={nowMs} />}
        </span>
      </summary>
      <div className="grid gap-3 border-t bg-muted/40 px-4 py-3 sm:pl-11">
        <Notes result={result} />
        {result.requests.map((request) => (
          <RequestChanges key={`${request.step} ${request.item}`} request={request} />
        ))}
        {result.moreRequests > 0 && (
          <p className="text-muted-foreground">
            {result.moreRequests.toLocaleString("en")} more{" "}
            {result.moreRequests === 1 ? "request isn't" : "requests aren't"} shown.
          </p>
        )}
        {receivedAt !== null && (
          <p>
            <NextLink href={`/deliveries/${result.deliveryId}`}>View delivery</NextLink>
          </p>
        )}
      </div>
    </details>
  );
}

/** Uncertain parts of a result, with the reason. */
function Notes({ result }: { result: ResultView }) {
  const { reason, unknownSteps, responses, cutLists } = result;
  const stored = Object.keys(responses).filter((step) => responses[step] === "stored");
  const notes = [
    ...(reason === null ? [] : [reason.message]),
    ...(unknownSteps.length === 0
      ? []
      : [`Unknown without a response of an earlier call: ${unknownSteps.join(", ")}.`]),
    ...(stored.length === 0
      ? []
      : [`Uses the responses of the real run for these steps: ${stored.join(", ")}.`]),
    ...(cutLists.length === 0
      ? []
      : [`Only the first 100 items were evaluated of these steps: ${cutLists.join(", ")}.`]),
  ];
  return notes.map((note) => (
    <p key={note} className="break-words">
      {safeText(note)}
    </p>
  ));
}
