import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeUserAgent } from "./describe-user-agent.ts";

type SessionView = {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

type SessionListProps = {
  readonly sessions: readonly SessionView[];
  readonly currentId: string;
  readonly nowMs: number;
  readonly endSession: (sessionId: string) => Promise<CommandResult<null>>;
  readonly signOutEverywhere: () => Promise<CommandResult<null>>;
};

/** The user's sessions, with this browser first. */
export function SessionList({
  sessions,
  currentId,
  nowMs,
  endSession,
  signOutEverywhere,
}: SessionListProps) {
  const ordered = sessions.toSorted((one, other) => rank(other) - rank(one));
  function rank({ id }: SessionView): number {
    return id === currentId ? 1 : 0;
  }
  return (
    <div className="grid gap-4">
      <ul className="divide-y">
        {ordered.map((session) => {
          const browser = describeUserAgent(session.userAgent);
          return (
            <li
              key={session.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0"
            >
              <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
                <div className="flex flex-wrap items-center gap-2 text-sm font-medium">
                  {browser}
                  {session.id === currentId && <Badge tone="positive">This browser</Badge>}
                </div>
                <p className="text-sm text-muted-foreground">
                  {session.address !== null && <>from {session.address} · </>}
                  seen <RelativeTime at={session.lastSeenAt} nowMs={nowMs} />
                  {" · "}
                  signed in <RelativeTime at={session.createdAt} nowMs={nowMs} />
                </p>
              </div>
              {session.id !== currentId && (
                <CommandButton
                  ariaLabel={`Sign out ${browser}`}
                  done={`${browser} was signed out.`}
                  run={endSession.bind(null, session.id)}
                >
                  Sign out
                </CommandButton>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <ConfirmButton
          label="Sign out everywhere"
          title="Sign out everywhere?"
          keepLabel="Cancel"
          confirmLabel="Sign out everywhere"
          run={signOutEverywhere}
        >
          <p>This signs out every browser, including this one. API tokens keep working.</p>
        </ConfirmButton>
      </div>
    </div>
  );
}
