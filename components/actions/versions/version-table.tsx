"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { describeVersion, type VersionSummary } from "#lib/schema/act/version-summary.ts";

type VersionTableProps = {
  readonly actionId: string;
  readonly versions: readonly VersionSummary[];
  readonly nowMs: number;
};

const columns = [
  { title: "Version", width: "w-40" },
  { title: "What changed", width: "" },
  { title: "By", width: "w-56" },
  { title: "Saved", width: "w-32 text-right" },
];

/** The versions of an action, newest first. Two of them can be compared. */
export function VersionTable({ actionId, versions, nowMs }: VersionTableProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const isReady = useHydrated();

  /** A third one takes the place of the one that was chosen first. */
  function choose(number: number, isOn: boolean) {
    const others = chosen.filter((one) => one !== number);
    setChosen(isOn ? [...others, number].slice(-2) : others);
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {versions.length > 1 && <Compare actionId={actionId} chosen={chosen} />}
      <RowTable columns={columns} className="list-rows">
        {versions.map((version) => (
          <Row key={version.number}>
            <Cell>
              <input
                type="checkbox"
                className="row-check"
                aria-label={`Compare version ${version.number}`}
                checked={chosen.includes(version.number)}
                disabled={!isReady || versions.length === 1}
                onChange={({ target }) => choose(version.number, target.checked)}
              />
              <span className="tabular-nums">{version.number}</span>
              {version.isCurrent && <Badge tone="positive">Current</Badge>}
            </Cell>
            <Cell>
              <span className="row-line">
                <Link href={`/actions/${actionId}/versions/${version.number}`} className="row-name">
                  {safeText(describeVersion(version))}
                </Link>
                {version.note !== null && (
                  <span className="row-rest">{safeText(`“${version.note}”`)}</span>
                )}
              </span>
            </Cell>
            <Cell className="row-detail">
              <span>
                <RowText value={version.author ?? undefined} missing="Unknown" />
              </span>
            </Cell>
            <Cell>
              <RelativeTime at={version.createdAt} nowMs={nowMs} />
            </Cell>
          </Row>
        ))}
      </RowTable>
    </div>
  );
}

type CompareProps = { readonly actionId: string; readonly chosen: readonly number[] };

function Compare({ actionId, chosen }: CompareProps) {
  const router = useRouter();
  const [older, newer] = chosen.toSorted((one, other) => one - other);
  const isReady = older !== undefined && newer !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        look="secondary"
        disabled={!isReady}
        onClick={() => router.push(`/actions/${actionId}/versions/${newer}?against=${older}`)}
      >
        Compare versions
      </Button>
      <span aria-live="polite" className="text-sm text-muted-foreground tabular-nums">
        {isReady ? `${older} and ${newer}` : "Choose two versions to see how they differ."}
      </span>
    </div>
  );
}
