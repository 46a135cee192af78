import type { Metadata } from "next";
import { BreakingChanges } from "#components/event-types/breaking-changes.tsx";
import { eventTypePath } from "#components/event-types/event-type-path.ts";
import { VersionChange } from "#components/event-types/version-change.tsx";
import { versionChangeFields } from "#components/event-types/version-draft.ts";
import { VersionBadges } from "#components/event-types/version-list.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { blockOf, Facts } from "#components/read-only/facts.tsx";
import { PlacedHeader } from "#components/shell/placed-header.tsx";
import { toDraft } from "#components/ui/form/codec.ts";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactTime } from "#components/ui/time/exact-time.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { changeVersionCommand } from "#lib/web/event-types/commands.ts";
import { readVersionPage } from "#lib/web/event-types/read-event-types.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";

type VersionPageProps = { params: Promise<{ name: string; version: string }> };

export async function generateMetadata({ params }: VersionPageProps): Promise<Metadata> {
  const { name, version } = await params;
  return { title: safeText(`${decodeURIComponent(version)} of ${decodeURIComponent(name)}`) };
}

export default async function VersionPage({ params }: VersionPageProps) {
  const given = await params;
  const name = decodeURIComponent(given.name);
  const wanted = decodeURIComponent(given.version);
  const page = await orNotFound(readVersionPage(await pageContext(), name, wanted));
  const { version, before, next, note, transform, breaking, endsAt } = page;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PlacedHeader
        title={`Version ${version}`}
        badge={<VersionBadges version={page} nowMs={page.nowMs} />}
        places={[{ href: eventTypePath(name), name }]}
      />
      <Facts
        title="About this version"
        facts={[
          ["Published", <ExactTime key="at" at={page.createdAt} />],
          ["Subscriptions that get it", page.subscribers.toLocaleString("en")],
          ["Ends", endsAt === null ? null : <ExactTime key="ends" at={endsAt} />],
          [
            "Breaking changes",
            before === null ? null : breaking.length === 0 ? (
              "None"
            ) : (
              <BreakingChanges key="breaking" changes={breaking} />
            ),
          ],
          ["Example", blockOf("Example", page.example)],
          ["Schema", blockOf("Schema", page.schema)],
        ]}
      />
      <Restricted
        to="subscriptions:write"
        instead={
          <Facts
            title="What can change"
            facts={[
              ["What has changed", note === null ? null : <CodeText key="note" text={note} />],
              [
                "Transform",
                transform === null ? null : blockOf(`Transform to version ${before}`, transform),
              ],
            ]}
          />
        }
      >
        <VersionChange
          key={version}
          stored={toDraft(versionChangeFields, { endsAt, note, transform })}
          before={before}
          next={next}
          save={changeVersionCommand.bind(null, name, version)}
        />
      </Restricted>
    </div>
  );
}
