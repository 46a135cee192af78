import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { type JobCommands, JobList, type JobView } from "#components/runs/job-list.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { GapStatus } from "#lib/schema/receive/gap.ts";
import { FindGapForm } from "./find-gap-form.tsx";
import { TakeInDialog } from "./take-in-dialog.tsx";
import type { TakeInFormProps } from "./take-in-form.tsx";

type GapView = {
  readonly id: string;
  readonly status: GapStatus;
  readonly summary: string;
  readonly reason: string | null;
  readonly isCut: boolean;
  readonly missingCount: number;
  readonly takenCount: number;
  readonly repeatedCount: number;
  readonly refusedCount: number;
  readonly askedBy: string;
  readonly createdAt: Date;
};

type TypeCount = {
  readonly eventType: string | null;
  readonly eventCount: number;
  readonly missingCount: number;
};

type BackfillProps = {
  readonly hookId: string;
  readonly nowMs: number;
  readonly from: string;
  readonly to: string;
  /** Null: the provider's API lists no events. */
  readonly source: {
    readonly name: string;
    readonly origin: string;
    readonly retentionDays: number | null;
    readonly credentialHelp: string;
    readonly difference: string;
    readonly whyNot: string | null;
    readonly lastCredentialId: string | null;
    readonly credentials: readonly { readonly id: string; readonly name: string }[];
  } | null;
  readonly newest: (GapView & { readonly types: readonly TypeCount[] }) | null;
  readonly job: (JobState & { readonly seen: number }) | null;
  readonly older: readonly GapView[];
  readonly find: Parameters<typeof FindGapForm>[0]["find"];
  readonly cancel: (hookId: string, gapId: string) => Promise<CommandResult<null>>;
  readonly takeIn: TakeInFormProps["takeIn"];
  readonly jobCommands: JobCommands;
};

/** A search at the provider for events that never arrived, and what it found. */
export function Backfill({ source, newest, job, older, ...props }: BackfillProps) {
  const { hookId, nowMs, from, to, find, cancel, takeIn, jobCommands } = props;
  if (source === null)
    return (
      <EmptyState title="Nothing to ask">
        <p>The API of this hook's provider lists no events that Catchment knows how to read.</p>
      </EmptyState>
    );
  const isRunning = newest?.status === "asking";
  return (
    <div className="grid grid-cols-1 gap-6">
      <RefreshWhile isOn={isRunning} />
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="grid gap-1">
          <h2 className="font-semibold">Search at {source.name}</h2>
          <p className="text-sm text-muted-foreground">
            Catchment asks {source.name} which events happened, and compares them with what arrived
            here. Nothing is taken in until you say so.
            {source.retentionDays !== null &&
              ` ${source.name} lists the events of ${source.retentionDays} days.`}
          </p>
        </div>
        {source.whyNot !== null ? (
          <Notice tone="caution">{source.whyNot}</Notice>
        ) : (
          <Allowed to="hooks:write">
            {source.credentials.length === 0 && (
              <Notice>
                First <Link href="/credentials">save a credential</Link> for {source.origin}.{" "}
                {source.credentialHelp}
              </Notice>
            )}
            <FindGapForm
              hookId={hookId}
              from={from}
              to={to}
              credentials={source.credentials}
              lastCredentialId={source.lastCredentialId}
              isRunning={isRunning}
              find={find}
            />
          </Allowed>
        )}
      </Card>
      {newest !== null && (
        <Card className="grid grid-cols-1 gap-4 p-5">
          <Found gap={newest} nowMs={nowMs} name={source.name} />
          <TypeTable types={newest.types} />
          {isRunning && (
            <Allowed to="hooks:write">
              <div>
                <CommandButton run={cancel.bind(null, hookId, newest.id)}>Stop</CommandButton>
              </div>
            </Allowed>
          )}
          {!isRunning && newest.types.some(isMissing) && !isOpen(job) && (
            <Allowed to="deliveries:write">
              <div className="grid gap-2">
                <p className="text-sm text-muted-foreground">{source.difference}</p>
                <div>
                  <TakeInDialog
                    hookId={hookId}
                    gapId={newest.id}
                    types={newest.types.filter(isMissing)}
                    hasArrived={newest.types.some((type) => type.eventCount > type.missingCount)}
                    takeIn={takeIn}
                  />
                </div>
              </div>
            </Allowed>
          )}
        </Card>
      )}
      {job !== null && <JobList jobs={[toJobView(job)]} nowMs={nowMs} {...jobCommands} />}
      {older.length > 0 && (
        <section aria-label="Earlier searches" className="grid grid-cols-1 gap-2">
          <h2 className="font-semibold">Earlier searches</h2>
          {older.map((gap) => (
            <Card key={gap.id} className="px-4 py-3">
              <Found gap={gap} nowMs={nowMs} name={source.name} />
            </Card>
          ))}
        </section>
      )}
    </div>
  );
}

function isMissing<Type extends TypeCount>(
  type: Type,
): type is Type & { readonly eventType: string } {
  return type.missingCount > 0 && type.eventType !== null;
}

function isOpen(job: BackfillProps["job"]): boolean {
  return job !== null && (job.status === "running" || job.status === "paused");
}

function toJobView(job: NonNullable<BackfillProps["job"]>): JobView {
  const total = job.total?.toLocaleString("en") ?? "all";
  return {
    ...job,
    kind: "take_in",
    title: `Take in ${total} missing`,
    outcome: `${job.changedCount.toLocaleString("en")} taken in`,
  };
}

const statusWords: Readonly<Record<GapStatus, { readonly label: string; readonly tone: Tone }>> = {
  asking: { label: "Searching", tone: "neutral" },
  found: { label: "Searched", tone: "positive" },
  failed: { label: "Failed", tone: "negative" },
  cancelled: { label: "Stopped", tone: "neutral" },
};

function Found({ gap, nowMs, name }: { gap: GapView; nowMs: number; name: string }) {
  const { label, tone } = statusWords[gap.status];
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted-foreground">
          <RelativeTime at={gap.createdAt} nowMs={nowMs} /> by {safeText(gap.askedBy)}
        </span>
      </div>
      <p className="font-medium">{safeText(gap.summary)}</p>
      {gap.reason !== null && <p>{safeText(gap.reason)}</p>}
      {gap.isCut && (
        <p className="text-muted-foreground">
          What happened before isn't known: {name} lists it no more, or Catchment has forgotten
          which events arrived then.
        </p>
      )}
    </div>
  );
}

function TypeTable({ types }: { types: readonly TypeCount[] }) {
  if (types.length === 0) return null;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b text-left text-muted-foreground">
            <th className="py-1.5 pr-4 font-medium">Event type</th>
            <th className="py-1.5 pr-4 text-right font-medium">Events</th>
            <th className="py-1.5 text-right font-medium">Missing</th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {types.map(({ eventType, eventCount, missingCount }) => (
            <tr key={eventType ?? ""} className="border-b last:border-0">
              <td className="py-1.5 pr-4 font-mono break-all">{safeText(eventType ?? "none")}</td>
              <td className="py-1.5 pr-4 text-right">{eventCount.toLocaleString("en")}</td>
              <td className="py-1.5 text-right">{missingCount.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
