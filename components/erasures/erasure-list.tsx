import { ChevronRight } from "lucide-react";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import {
  type ErasureMode,
  type ErasurePlace,
  type ErasureStatus,
  erasedPlaces,
} from "#lib/schema/account/erasure-places.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { placeWords } from "./place-words.ts";

type ErasureView = {
  readonly id: string;
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  readonly status: ErasureStatus;
  readonly fingerprints: readonly string[];
  readonly pass: number;
  readonly places: readonly {
    readonly place: ErasurePlace;
    readonly found: number;
    readonly changed: number;
  }[];
  readonly ruleIds: readonly string[];
  readonly left: readonly string[];
  readonly createdAt: Date;
};

type ErasureListProps = {
  readonly erasures: readonly ErasureView[];
  readonly nowMs: number;
  readonly cancel: (id: string) => Promise<CommandResult<null>>;
};

/** The account's erasures, newest first, one a line. The newest is open. */
export function ErasureList({ erasures, nowMs, cancel }: ErasureListProps) {
  return (
    <ul className="divide-y">
      {erasures.map((erasure, index) => (
        <li key={erasure.id} className="flex min-w-0 items-start gap-2 py-2 first:pt-0 last:pb-0">
          <ErasureRow erasure={erasure} nowMs={nowMs} isOpen={index === 0} />
          {erasure.status === "running" && (
            <CommandButton
              ariaLabel={`Cancel: ${nameOf(erasure)}`}
              done="Canceled. What has changed stays changed."
              run={cancel.bind(null, erasure.id)}
            >
              Cancel
            </CommandButton>
          )}
        </li>
      ))}
    </ul>
  );
}

type RowProps = {
  readonly erasure: ErasureView;
  readonly nowMs: number;
  readonly isOpen: boolean;
};

function ErasureRow({ erasure, nowMs, isOpen }: RowProps) {
  const { dryRun, status, fingerprints, places, ruleIds, left, createdAt } = erasure;
  return (
    <details open={isOpen} className="group/erasure min-w-0 flex-1 text-sm">
      <summary
        className={
          "flex min-h-9 cursor-pointer flex-wrap items-center gap-x-2 gap-y-1 rounded-sm " +
          "marker:content-none [&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={15}
          className="shrink-0 transition-transform group-open/erasure:rotate-90"
        />
        <span className="font-medium">{nameOf(erasure)}</span>
        <StatusBadge status={status} hasLeft={left.length > 0} />
        {ruleIds.length > 0 && <Badge>Later arrival</Badge>}
        <span className="text-muted-foreground sm:ml-auto">
          <RelativeTime at={createdAt} nowMs={nowMs} />
        </span>
      </summary>
      <div className="grid gap-2 pt-1 pb-2 sm:pl-6">
        {left.map((sentence) => (
          <Notice key={sentence} tone="caution">
            {sentence}
          </Notice>
        ))}
        {places.length > 0 && <Places places={places} dryRun={dryRun} />}
        <p className="text-muted-foreground">
          {fingerprints.length === 1 ? "Fingerprint" : "Fingerprints"} of the{" "}
          {fingerprints.length === 1 ? "value" : "values"}, as in the audit log. The values
          themselves aren't stored.
        </p>
        <ul className="grid max-h-40 gap-0.5 overflow-y-auto">
          {fingerprints.map((fingerprint) => (
            <li key={fingerprint}>
              <code className="font-mono text-xs break-all text-muted-foreground">
                {fingerprint}
              </code>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** "Counted 15 rows", "Redacting, 3 rows so far", or "Deleted nothing". */
function nameOf({ mode, dryRun, status, places }: ErasureView): string {
  const count = places.reduce((sum, { found, changed }) => sum + (dryRun ? found : changed), 0);
  const rows = count === 0 ? "nothing" : describeCount(count, "row");
  const words = dryRun ? countWords : modeWords[mode];
  return status === "running" ? `${words.doing}, ${rows} so far` : `${words.done} ${rows}`;
}

const countWords = { doing: "Counting", done: "Counted" };
const modeWords = {
  redact: { doing: "Redacting", done: "Redacted" },
  delete: { doing: "Deleting", done: "Deleted" },
} as const;

type StatusBadgeProps = { readonly status: ErasureStatus; readonly hasLeft: boolean };

function StatusBadge({ status, hasLeft }: StatusBadgeProps) {
  if (status === "running") return <Badge>Running</Badge>;
  if (status === "cancelled") return <Badge tone="caution">Canceled</Badge>;
  return hasLeft ? <Badge tone="caution">Not complete</Badge> : <Badge tone="positive">Done</Badge>;
}

type PlacesProps = Pick<ErasureView, "places" | "dryRun">;

function Places({ places, dryRun }: PlacesProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm tabular-nums">
        <thead className="text-left text-muted-foreground">
          <tr>
            <th className="py-1 pr-4 font-normal">Place</th>
            <th className="py-1 pr-4 text-right font-normal">Rows found</th>
            {!dryRun && <th className="py-1 text-right font-normal">Changed</th>}
          </tr>
        </thead>
        <tbody>
          {places.map(({ place, found, changed }) => (
            <tr key={place} className="border-t">
              <td className="py-1 pr-4">
                {placeWords[place]}
                {!isChanged(place) && <span className="text-muted-foreground"> · stays</span>}
              </td>
              <td className="py-1 pr-4 text-right">{found.toLocaleString("en")}</td>
              {!dryRun && <td className="py-1 text-right">{changed.toLocaleString("en")}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Others are only counted. */
function isChanged(place: ErasurePlace): boolean {
  return place === "archive" || (erasedPlaces as readonly string[]).includes(place);
}
