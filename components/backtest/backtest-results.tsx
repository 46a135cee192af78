import { ChevronRight } from "lucide-react";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { ChangedValue } from "./changed-value.tsx";
import { describeResult, listChangedValues, type ResultView } from "./describe-result.ts";
import { RequestChanges } from "./request-changes.tsx";

type BacktestResultsProps = {
  readonly results: readonly ResultView[];
  /** The version that they are compared with. Null: the one in force, or none. */
  readonly other: number | null;
  readonly nowMs: number;
};

/** The deliveries of a group, a line each. Expanded, one shows each request and its differences. */
export function BacktestResults({ results, other, nowMs }: BacktestResultsProps) {
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Deliveries" className="divide-y text-sm">
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
  const { eventType, eventId, receivedAt } = result;
  const [first, ...others] = listChangedValues(result);
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
        <span className="w-48 shrink-0 truncate font-mono text-xs">
          {eventId === null ? "No event id" : safeText(eventId)}
        </span>
        <span className="min-w-40 flex-1 basis-72">
          {first === undefined ? (
            safeText(describeResult(result, other))
          ) : (
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <ChangedValue {...first} />
              {others.length > 0 && (
                <span className="text-xs text-muted-foreground">+ {others.length} more</span>
              )}
            </span>
          )}
        </span>
        <span className="max-w-48 truncate text-muted-foreground">
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
