import Link from "next/link";
import type { BulkCommands } from "#components/lists/bulk-dialog.tsx";
import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { BulkRuns } from "#components/runs/bulk-runs.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Sparkline } from "#components/ui/sparkline.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type FailureRow, type FailureView, toFailureRow } from "./failure-row.ts";

type MuteCommand = (key: {
  readonly actionId?: string;
  readonly subscriptionId?: string;
  readonly reason: string;
}) => Promise<CommandResult<null>>;

type FailureListProps = BulkCommands & {
  /** Muted ones last. */
  readonly failures: readonly FailureView[];
  /** Groups that aren't shown. */
  readonly more: number;
  /** False: only the newest runs are counted. */
  readonly isComplete: boolean;
  readonly range: Range;
  readonly nowMs: number;
  readonly mute: MuteCommand;
  readonly unmute: MuteCommand;
};

/** Failed runs by action and reason, with what can be done about them. */
export function FailureList(props: FailureListProps) {
  const { failures, more, isComplete, range } = props;
  const loud = failures.filter(({ mutedAt }) => mutedAt === null);
  const muted = failures.filter(({ mutedAt }) => mutedAt !== null);
  return (
    <>
      {!isComplete && (
        <Notice tone="caution">
          More than 200,000 runs failed in {rangeWords[range]}. Only the newest are counted.
        </Notice>
      )}
      {loud.length > 0 ? (
        <Groups {...props} label="Failures" failures={loud} />
      ) : (
        <EmptyState title={`Nothing failed in ${rangeWords[range]}`}>
          <p>
            {muted.length === 0
              ? "Runs that end without success show up here, by action and reason."
              : "Except for what is muted below."}
          </p>
        </EmptyState>
      )}
      {more > 0 && (
        <p className="text-sm text-muted-foreground">
          And {more.toLocaleString("en")} more groups with fewer runs.
        </p>
      )}
      {muted.length > 0 && (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="muted">
          <h2 id="muted" className="text-lg font-semibold tracking-tight">
            Muted
          </h2>
          <p className="text-sm text-muted-foreground">
            Until you unmute them, or the action or subscription changes.
          </p>
          <Groups {...props} label="Muted failures" failures={muted} />
        </section>
      )}
    </>
  );
}

function Groups({ label, failures, ...rest }: FailureListProps & { readonly label: string }) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y">
        {failures.map((failure) => {
          const row = toFailureRow(failure, rest.range);
          return (
            <li
              key={row.key}
              className="grid grid-cols-1 gap-x-6 gap-y-3 px-4 py-3 text-sm lg:grid-cols-[minmax(0,1fr)_auto]"
            >
              <Summary failure={failure} row={row} nowMs={rest.nowMs} />
              <Commands failure={failure} row={row} {...rest} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

type GroupProps = { readonly failure: FailureView; readonly row: FailureRow };

function Summary({ failure, row, nowMs }: GroupProps & { readonly nowMs: number }) {
  const { count, firstAt, lastAt, bars, mutedAt } = failure;
  const counted = `${count.toLocaleString("en")} failed`;
  const isQuiet = mutedAt !== null;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link
          href={row.href}
          prefetch={false}
          className="min-w-0 rounded-sm font-medium break-all underline-offset-4 hover:underline"
        >
          {safeText(row.name)}
        </Link>
        <span className="min-w-0 break-words text-muted-foreground">{safeText(row.of)}</span>
      </span>
      <span className="break-words">
        <b className={isQuiet ? "font-normal" : "font-normal text-negative"}>{row.why}</b>
        {row.detail !== null && (
          <span className="text-muted-foreground"> · {safeText(row.detail.slice(0, 300))}</span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground tabular-nums">
        <Sparkline
          bars={bars}
          bad={isQuiet ? [] : bars}
          label={`${counted} over time, at most ${Math.max(...bars).toLocaleString("en")} in a bar`}
        />
        <Link
          href={`/runs?${new URLSearchParams(row.filter)}`}
          prefetch={false}
          className={quietLink}
        >
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
          <Link href={row.example} prefetch={false} className={quietLink}>
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

type CommandsProps = GroupProps & Pick<FailureListProps, "count" | "start" | "mute" | "unmute">;

function Commands({ failure, row, count, start, mute, unmute }: CommandsProps) {
  const { actionId, subscriptionId, reason, mutedAt } = failure;
  const key =
    actionId === null ? { subscriptionId: subscriptionId ?? "", reason } : { actionId, reason };
  const name = safeText(row.name);
  return (
    <div className="flex flex-wrap items-start gap-2 lg:justify-end">
      {row.fix !== null && (
        <Link href={row.fix} prefetch={false} className={buttonClasses("secondary")}>
          Fix the mapping<span className="sr-only"> of {name}</span>
        </Link>
      )}
      <Allowed to="deliveries:write">
        {mutedAt === null ? (
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
              undo={unmute.bind(null, key)}
              run={mute.bind(null, key)}
            >
              Mute
            </CommandButton>
          </>
        ) : (
          <CommandButton
            look="quiet"
            ariaLabel={`Unmute: ${row.why} of ${name}`}
            run={unmute.bind(null, key)}
          >
            Unmute
          </CommandButton>
        )}
      </Allowed>
    </div>
  );
}
