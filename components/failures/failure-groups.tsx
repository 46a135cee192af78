"use client";

import type { BulkCommands } from "#components/lists/bulk-dialog.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { BulkRuns } from "#components/runs/bulk-runs.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Sparkline } from "#components/ui/plot/sparkline.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { FailureRow, MuteKey } from "./failure-row.ts";

type MuteCommand = (key: MuteKey) => Promise<CommandResult<null>>;

export type FailureCommands = BulkCommands & {
  readonly mute: MuteCommand;
  readonly unmute: MuteCommand;
};

type FailureGroupsProps = FailureCommands & {
  readonly label: string;
  readonly rows: readonly FailureRow[];
  readonly nowMs: number;
};

/** A client component: what it draws of a hundred groups is several times what it draws it from. */
export function FailureGroups({ label, rows, nowMs, ...commands }: FailureGroupsProps) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y">
        {rows.map((row) => (
          <li
            key={row.key}
            className="grid grid-cols-1 gap-x-6 gap-y-3 px-4 py-3 text-sm lg:grid-cols-[minmax(0,1fr)_auto]"
          >
            <Summary row={row} nowMs={nowMs} />
            <Commands row={row} {...commands} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type GroupProps = { readonly row: FailureRow };

function Summary({ row, nowMs }: GroupProps & { readonly nowMs: number }) {
  const { count, firstAt, lastAt, bars, isMuted } = row;
  const counted = `${count.toLocaleString("en")} failed`;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link
          href={row.href}
          className="min-w-0 rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {safeText(row.name)}
        </Link>
        <span className="min-w-0 break-words text-muted-foreground">{safeText(row.of)}</span>
      </span>
      <span className="break-words">
        <b className={isMuted ? "font-normal" : "font-normal text-negative"}>{row.why}</b>
        {row.detail !== null && (
          <span className="text-muted-foreground"> · {safeText(row.detail)}</span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground tabular-nums">
        <Sparkline
          bars={bars}
          bad={isMuted ? [] : bars}
          label={`${counted} over time, at most ${Math.max(...bars).toLocaleString("en")} in a bar`}
        />
        <Link href={`/runs?${new URLSearchParams(row.filter)}`} className={quietLink}>
          {counted}
          <span className="sr-only"> of {safeText(row.name)}</span>
        </Link>
        <span>
          First <RelativeTime at={firstAt} nowMs={nowMs} />
        </span>
        <span>
          Last <RelativeTime at={lastAt} nowMs={nowMs} />
        </span>
        {row.example !== null && (
          <Link href={row.example} className={quietLink}>
            Example<span className="sr-only"> of {safeText(row.name)}</span>
          </Link>
        )}
      </span>
    </div>
  );
}

const quietLink =
  "inline-flex min-h-6 items-center rounded-sm underline decoration-border underline-offset-4 " +
  "hover:decoration-current";

function Commands({ row, count, start, mute, unmute }: GroupProps & FailureCommands) {
  const name = safeText(row.name);
  return (
    <div className="flex flex-wrap items-start gap-2 lg:justify-end">
      {row.fix !== null && (
        <Link href={row.fix} className={buttonClasses("secondary")}>
          Fix the mapping<span className="sr-only"> of {name}</span>
        </Link>
      )}
      <Allowed to="deliveries:write">
        {!row.isMuted ? (
          <>
            <BulkRuns
              kind="retry"
              label={
                <>
                  Retry all…<span className="sr-only"> of {name}</span>
                </>
              }
              values={row.filter}
              actionName={row.name}
              count={count}
              start={start}
            />
            <CommandButton
              look="quiet"
              ariaLabel={`Mute: ${row.why} of ${name}`}
              done="Muted"
              undo={() => unmute(row.muteKey)}
              run={() => mute(row.muteKey)}
            >
              Mute
            </CommandButton>
          </>
        ) : (
          <CommandButton
            look="quiet"
            ariaLabel={`Unmute: ${row.why} of ${name}`}
            run={() => unmute(row.muteKey)}
          >
            Unmute
          </CommandButton>
        )}
      </Allowed>
    </div>
  );
}
