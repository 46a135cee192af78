import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { ExactTime } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type BreakingChange, BreakingChanges } from "./breaking-changes.tsx";
import { versionPath } from "./event-type-path.ts";

type VersionRow = {
  readonly version: string;
  readonly isNewest: boolean;
  readonly note: string | null;
  readonly breaking: readonly BreakingChange[];
  /** The version before. Null: there is none. */
  readonly before: string | null;
  /** The number of subscriptions that get it. */
  readonly subscribers: number;
  readonly createdAt: Date;
  /** From then on, its subscribers get the next version. Null: it stays. */
  readonly endsAt: Date | null;
};

type VersionListProps = {
  readonly name: string;
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  readonly nowMs: number;
};

/** The versions of an event type, each with what it changed and who gets it. */
export function VersionList({ name, versions, nowMs }: VersionListProps) {
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y">
        {versions.map((version) => (
          <li key={version.version} className="grid min-w-0 gap-1.5 px-4 py-3 sm:px-5">
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
              <Link
                href={versionPath(name, version.version)}
                className="font-medium underline-offset-4 hover:underline"
              >
                {version.version}
              </Link>
              <VersionBadges version={version} nowMs={nowMs} />
              <span className="text-muted-foreground sm:ml-auto">
                {describeCount(version.subscribers, "subscription")} ·{" "}
                <RelativeTime at={version.createdAt} nowMs={nowMs} />
              </span>
            </div>
            {version.note !== null && (
              <p className="text-sm break-words">
                <CodeText text={version.note} />
              </p>
            )}
            <BreakingChanges changes={version.breaking} shown={maxShown} />
            <VersionEnd endsAt={version.endsAt} nowMs={nowMs} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const maxShown = 5;

type Badged = Pick<VersionRow, "isNewest" | "breaking" | "endsAt">;

/** Whether it is the newest, breaks receivers, or has ended. */
export function VersionBadges({ version, nowMs }: { version: Badged; nowMs: number }) {
  const { isNewest, breaking, endsAt } = version;
  const hasEnded = endsAt !== null && endsAt.getTime() <= nowMs;
  return (
    <>
      {isNewest && <Badge tone="positive">Newest</Badge>}
      {breaking.length > 0 && <Badge tone="caution">Breaking</Badge>}
      {hasEnded && <Badge>Ended</Badge>}
    </>
  );
}

/** Until when a version lives. */
function VersionEnd({ endsAt, nowMs }: { endsAt: Date | null; nowMs: number }) {
  if (endsAt === null) return null;
  return (
    <p className="text-sm text-muted-foreground">
      {endsAt.getTime() > nowMs ? "Ends" : "Ended"} on <ExactTime at={endsAt} />
    </p>
  );
}
