import type { Metadata } from "next";
import { VersionTable } from "#components/actions/versions/version-table.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { PlacedHeader } from "#components/shell/placed-header.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { readVersionsPage } from "#lib/web/actions/versions.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readAction } from "#lib/web/request/read-named.ts";
import { titleByName } from "../../../title-by-name.ts";

type VersionsPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{ cursor?: string | string[]; missing?: string | string[] }>;
};

export async function generateMetadata({ params }: VersionsPageProps): Promise<Metadata> {
  return await titleByName(params, readAction, { part: "Versions", otherwise: "Versions" });
}

export default async function VersionsPage({ params, searchParams }: VersionsPageProps) {
  const { id } = await params;
  const { cursor, missing = [] } = await searchParams;
  const page = await orNotFound(
    readVersionsPage(await pageContext(), id, typeof cursor === "string" ? cursor : undefined),
  );
  const { action, hook, versions, nextCursor, nowMs } = page;
  const here = `/actions/${action.id}`;
  const older = nextCursor === null ? null : `${here}/versions?cursor=${nextCursor}`;
  const newest = cursor === undefined ? null : `${here}/versions`;
  return (
    <div className="grid grid-cols-1 gap-4">
      <PlacedHeader
        title="Versions"
        places={[
          { href: `/hooks/${hook.id}`, name: hook.name },
          { href: here, name: action.name },
        ]}
      />
      <MissingCredentials keys={[missing].flat()} actionPath={here} />
      <VersionTable actionId={action.id} versions={versions} nowMs={nowMs} />
      <PageLinks links={{ older, newer: null, newest }} />
    </div>
  );
}

type MissingProps = { readonly keys: readonly string[]; readonly actionPath: string };

function MissingCredentials({ keys, actionPath }: MissingProps) {
  if (keys.length === 0) return null;
  const names = keys.slice(0, 20).map((key) => safeText(key.slice(0, 40)));
  return (
    <Notice tone="caution">
      Restored. Versions don't keep secrets, so enter the credentials of{" "}
      {new Intl.ListFormat("en").format(names)} again. Until then, calls are made without them.{" "}
      <NextLink href={actionPath}>Go to the action</NextLink>
    </Notice>
  );
}
