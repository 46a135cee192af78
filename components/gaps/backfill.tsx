import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { type JobCommands, JobList, type JobView } from "#components/runs/job-list.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { FindGapForm } from "./find-gap-form.tsx";
import { FoundGap, type WholeGap } from "./found-gap.tsx";
import { GapList } from "./gap-list.tsx";
import type { GapView } from "./gap-status.ts";
import { type GapScheduleView, type SaveSchedule, ScheduleForm } from "./schedule-form.tsx";
import type { TakeInFormProps } from "./take-in-form.tsx";

type Source = {
  readonly name: string;
  readonly origin: string;
  readonly retentionDays: number | null;
  readonly credentialHelp: string;
  readonly difference: string;
  readonly whyNot: string | null;
  readonly lastCredentialId: string | null;
  /** A provider that lists what one webhook sent, and sends it again. Null: it lists events. */
  readonly webhook: {
    readonly label: string;
    readonly help: string;
    readonly last: string;
  } | null;
  readonly credentials: readonly { readonly id: string; readonly name: string }[];
};

type BackfillProps = {
  readonly hookId: string;
  readonly nowMs: number;
  readonly from: string;
  readonly to: string;
  /** Null: the provider's API lists no events. */
  readonly source: Source | null;
  /** The newest search is running. */
  readonly isSearching: boolean;
  /** The search to show: the newest, or the one that the URL names. Null: there is none. */
  readonly shown: WholeGap | null;
  readonly isNewest: boolean;
  /** An earlier search has events that can still be taken in, and the one shown hasn't. */
  readonly hasEarlierMissing: boolean;
  readonly job: (JobState & { readonly seen: number }) | null;
  readonly others: readonly GapView[];
  readonly find: Parameters<typeof FindGapForm>[0]["find"];
  readonly cancel: (hookId: string, gapId: string) => Promise<CommandResult<null>>;
  readonly takeIn: TakeInFormProps["takeIn"];
  readonly jobCommands: JobCommands;
  readonly schedule: GapScheduleView & { readonly nextAt: Date | null };
  readonly saveSchedule: SaveSchedule;
};

/** A search at the provider for events that never arrived, and what it found. */
export function Backfill({ source, ...props }: BackfillProps) {
  const { hookId, nowMs, isSearching, shown, job } = props;
  if (source === null)
    return (
      <EmptyState title="This provider can't be searched">
        <p>Its API lists no events, so Catchment can't find out which ones never arrived.</p>
        <Link href={`/hooks/${hookId}`} className="underline underline-offset-4">
          Back to the hook
        </Link>
      </EmptyState>
    );
  const hasCredential = source.credentials.length > 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <RefreshWhile isOn={isSearching} />
      <Search source={source} {...props} />
      {props.hasEarlierMissing && (
        <Notice tone="caution">
          An earlier search found events that can still be taken in.{" "}
          <Link
            href={`/hooks/${hookId}/backfill?search=missing`}
            className="underline underline-offset-4"
          >
            Show them
          </Link>
        </Notice>
      )}
      {shown !== null && (
        <FoundGap
          hookId={hookId}
          gap={shown}
          nowMs={nowMs}
          source={source}
          isAskedAgain={source.webhook !== null}
          isTakingIn={job !== null && (job.status === "running" || job.status === "paused")}
          cancel={props.cancel}
          takeIn={props.takeIn}
        />
      )}
      {job !== null && <JobList jobs={[toJobView(job)]} nowMs={nowMs} {...props.jobCommands} />}
      {source.whyNot === null && (hasCredential || props.schedule.every !== "off") && (
        <Schedule source={source} {...props} />
      )}
      <GapList hookId={hookId} gaps={props.others} nowMs={nowMs} />
    </div>
  );
}

type PartProps = Omit<BackfillProps, "source"> & { readonly source: Source };

function Search({ hookId, source, from, to, isSearching, isNewest, find }: PartProps) {
  const { name, whyNot, credentials, retentionDays } = source;
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold">Search at {name}</h2>
        <p className="text-sm text-muted-foreground">
          Catchment asks {name} which events happened, and compares them with what arrived here.
          Nothing is taken in until you say so.
          {retentionDays !== null && ` ${name} lists the events of ${retentionDays} days.`}
        </p>
      </div>
      {whyNot !== null ? (
        <Notice tone="caution">{whyNot}</Notice>
      ) : (
        <Allowed to="hooks:write">
          {credentials.length === 0 ? (
            <Notice>
              First{" "}
              <Link href="/credentials" className="underline underline-offset-4">
                save a credential
              </Link>{" "}
              for {source.origin}. {source.credentialHelp}
            </Notice>
          ) : (
            <FindGapForm
              hookId={hookId}
              from={from}
              to={to}
              credentials={credentials}
              lastCredentialId={source.lastCredentialId}
              webhook={source.webhook}
              isRunning={isSearching}
              isElsewhere={!isNewest}
              find={find}
            />
          )}
        </Allowed>
      )}
    </Card>
  );
}

function Schedule({ hookId, nowMs, source, schedule, saveSchedule }: PartProps) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold">Search on a schedule</h2>
        <p className="text-sm text-muted-foreground">
          Each search overlaps the one before by an hour. Event types that this hook never got are
          left out.
          {schedule.nextAt !== null && (
            <>
              {" "}
              The next one begins <UntilTime untilMs={schedule.nextAt.getTime()} nowMs={nowMs} />.
            </>
          )}
        </p>
      </div>
      <Restricted
        to="hooks:write"
        instead={<p className="text-sm">{scheduleWords[schedule.every]}</p>}
      >
        <ScheduleForm
          hookId={hookId}
          schedule={schedule}
          credentials={source.credentials}
          save={saveSchedule}
        />
      </Restricted>
    </Card>
  );
}

const scheduleWords = { off: "Off", hour: "Every hour", day: "Every day" } as const;

function toJobView(job: NonNullable<BackfillProps["job"]>): JobView {
  const total = job.total?.toLocaleString("en") ?? "all";
  return {
    ...job,
    kind: "take_in",
    title: `Take in ${total} missing`,
    outcome: `${job.changedCount.toLocaleString("en")} taken in`,
  };
}
