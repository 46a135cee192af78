import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
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
  readonly left: readonly string[];
  readonly createdAt: Date;
};

type ErasureListProps = {
  readonly erasures: readonly ErasureView[];
  readonly nowMs: number;
  readonly cancel: (id: string) => Promise<CommandResult<null>>;
};

/** The account's erasures, newest first, with their receipts. */
export function ErasureList({ erasures, nowMs, cancel }: ErasureListProps) {
  return (
    <ul className="divide-y">
      {erasures.map((erasure) => (
        <li key={erasure.id} className="grid min-w-0 grid-cols-1 gap-2 py-4 first:pt-0 last:pb-0">
          <ErasureRow erasure={erasure} nowMs={nowMs} cancel={cancel} />
        </li>
      ))}
    </ul>
  );
}

type RowProps = Omit<ErasureListProps, "erasures"> & { readonly erasure: ErasureView };

function ErasureRow({ erasure, nowMs, cancel }: RowProps) {
  const { id, mode, dryRun, status, fingerprints, places, left, createdAt } = erasure;
  const name = dryRun ? "Count" : modeWords[mode];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-center gap-2 text-sm font-medium">
          {name} <StatusBadge status={status} hasLeft={left.length > 0} />
          <span className="font-normal text-muted-foreground">
            started <RelativeTime at={createdAt} nowMs={nowMs} />
          </span>
        </div>
        {status === "running" && (
          <CommandButton ariaLabel={`Cancel: ${name}`} done="Canceled." run={cancel.bind(null, id)}>
            Cancel
          </CommandButton>
        )}
      </div>
      {places.length > 0 ? (
        <Places places={places} dryRun={dryRun} />
      ) : (
        status === "finished" && (
          <p className="text-sm text-muted-foreground">No row has one of the values.</p>
        )
      )}
      {left.map((sentence) => (
        <Notice key={sentence} tone="caution">
          {sentence}
        </Notice>
      ))}
      <details className="text-sm text-muted-foreground">
        <summary className="w-fit cursor-pointer rounded-sm hover:text-foreground">Receipt</summary>
        <p className="mt-1">
          Fingerprints of the values, as in the audit log. The values themselves aren't stored.
        </p>
        <ul className="mt-1 grid gap-0.5">
          {fingerprints.map((fingerprint) => (
            <li key={fingerprint}>
              <code className="font-mono text-xs break-all">{fingerprint}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const modeWords: Readonly<Record<ErasureMode, string>> = { redact: "Redact", delete: "Delete" };

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
