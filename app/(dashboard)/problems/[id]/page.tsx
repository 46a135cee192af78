import type { Metadata } from "next";
import { Allowed } from "#components/permissions/role.tsx";
import { DiskFigures } from "#components/problems/disk-figures.tsx";
import { findNextStep } from "#components/problems/next-step.ts";
import { ProblemFacts } from "#components/problems/problem-facts.tsx";
import { ProblemMessages } from "#components/problems/problem-messages.tsx";
import { ProblemPeople } from "#components/problems/problem-people.tsx";
import { kindWords } from "#components/problems/problem-words.ts";
import { ShapeChanges } from "#components/problems/shape-changes.tsx";
import { SilenceFigures } from "#components/problems/silence-figures.tsx";
import { SpoolFigures } from "#components/problems/spool-figures.tsx";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { BulkRuns } from "#components/runs/bulk-runs.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { WeeklyHoursInText } from "#components/ui/time/exact-time.tsx";
import {
  acknowledgeProblemCommand,
  resolveProblemCommand,
  saveProblemCommand,
} from "#lib/web/alerts/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readProblemPage } from "#lib/web/problems/read-problems.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { countBulkCommand, startBulkCommand } from "#lib/web/runs/commands.ts";
import { jobCommands } from "../../jobs/job-commands.ts";
import { titleByName } from "../../title-by-name.ts";

type ProblemPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: ProblemPageProps): Promise<Metadata> {
  const readNamed = async (...of: Parameters<typeof readProblemPage>) => ({
    name: (await readProblemPage(...of)).heading,
  });
  return await titleByName(params, readNamed, { otherwise: "Problem" });
}

export default async function ProblemPage({ params }: ProblemPageProps) {
  const { id } = await params;
  const page = await orNotFound(readProblemPage(await pageContext(), id));
  const {
    problem,
    missed,
    runs,
    runFilter,
    jobs,
    members,
    heading,
    lead,
    ending,
    runsHref,
    alerts,
    nowMs,
  } = page;
  const { state, kind, details } = problem;
  const step = state === "resolved" ? null : findNextStep(problem);
  return (
    <>
      <PageHeader
        title={safeText(heading)}
        lead={<WeeklyHoursInText text={lead ?? kindWords[kind]} nowMs={nowMs} />}
      >
        <div className="flex flex-wrap items-start gap-2">
          {runsHref !== null && runsHref !== step?.href && (
            <Link href={runsHref} className={buttonClasses("secondary")}>
              {kind === "rejected" ? "View deliveries" : "View failed runs"}
            </Link>
          )}
          <Allowed to="deliveries:write">
            {runFilter !== null && runs !== null && runs.failed > 0 && (
              <BulkRuns
                kind="retry"
                label="Retry failed runs…"
                values={runFilter}
                actionName={problem.actionName ?? problem.receiverUrl}
                count={countBulkCommand}
                start={startBulkCommand}
              />
            )}
            {state === "open" && (
              <CommandButton
                done="Acknowledged. Its reminders stop."
                run={acknowledgeProblemCommand.bind(null, id)}
              >
                Acknowledge
              </CommandButton>
            )}
            {state !== "resolved" && (
              <CommandButton done="Resolved." run={resolveProblemCommand.bind(null, id)}>
                Resolve
              </CommandButton>
            )}
          </Allowed>
        </div>
      </PageHeader>
      <BulkJobList jobs={jobs} nowMs={nowMs} {...jobCommands} />
      {step !== null && (
        <p className="text-sm">
          {step.text}{" "}
          <Link href={step.href} className="rounded-sm underline underline-offset-4">
            {step.link}
          </Link>
        </p>
      )}
      {missed.map(({ name, hookName, href }) => (
        <p key={href} className="text-sm">
          {safeText(hookName === null ? name : `${name} (${hookName})`)} can say which events never
          arrived.{" "}
          <Link href={href} className="rounded-sm underline underline-offset-4">
            Search for missing events{hookName !== null && ` of ${safeText(hookName)}`}
          </Link>
        </p>
      ))}
      {details.kind === "silence" && (
        <SilenceFigures
          details={details}
          hookId={problem.hookId}
          isOver={state === "resolved"}
          nowMs={nowMs}
        />
      )}
      {details.kind === "shape" && (
        <ShapeChanges details={details} exampleId={problem.deliveryId} />
      )}
      {details.kind === "disk" && <DiskFigures details={details} />}
      {details.kind === "spool" && <SpoolFigures details={details} nowMs={nowMs} />}
      <ProblemFacts problem={problem} runs={runs} ending={ending} nowMs={nowMs} />
      <ProblemPeople
        problem={problem}
        members={members}
        save={saveProblemCommand.bind(null, id)}
        nowMs={nowMs}
      />
      <ProblemMessages messages={alerts} nowMs={nowMs} />
    </>
  );
}
