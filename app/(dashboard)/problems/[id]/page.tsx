import type { Metadata } from "next";
import Link from "next/link";
import { Allowed } from "#components/permissions/role.tsx";
import { ProblemFacts } from "#components/problems/problem-facts.tsx";
import { ProblemMessages } from "#components/problems/problem-messages.tsx";
import { kindWords, stateWords } from "#components/problems/problem-words.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { userContext } from "#lib/web/auth/run-service.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { readProblemPage } from "#lib/web/problems/read-problems.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { acknowledgeProblemCommand, resolveProblemCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Problem" };

export default async function ProblemPage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireSession();
  const { id } = await params;
  const page = await orNotFound(readProblemPage(userContext(session), id));
  const { problem, title, message, ending, runsHref, alerts, nowMs } = page;
  const { state, kind } = problem;
  return (
    <>
      <PageHeader title={safeText(title)} lead={safeText(message ?? kindWords[kind])}>
        <div className="flex flex-wrap items-start gap-2">
          {runsHref !== null && (
            <Link href={runsHref} prefetch={false} className={buttonClasses("secondary")}>
              {kind === "rejected" ? "View deliveries" : "View failed runs"}
            </Link>
          )}
          <Allowed to="deliveries:write">
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
      <div>
        <Badge tone={stateWords[state].tone}>{stateWords[state].name}</Badge>
      </div>
      <ProblemFacts problem={problem} ending={ending} nowMs={nowMs} />
      <ProblemMessages messages={alerts} nowMs={nowMs} />
    </>
  );
}
