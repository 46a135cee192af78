import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

type DraftMarkProps = { readonly href: string; readonly editedAt: Date; readonly nowMs: number };

/** The viewer's draft of an action, which its editor opens. */
export function DraftMark({ href, editedAt, nowMs }: DraftMarkProps) {
  return (
    <Link href={href} className="text-sm text-muted-foreground underline-offset-4 hover:underline">
      Draft · edited <RelativeTime at={editedAt} nowMs={nowMs} />
    </Link>
  );
}

type NewActionDraftProps = Pick<DraftMarkProps, "nowMs"> & {
  readonly hookId: string;
  /** Null: there is none. */
  readonly editedAt: Date | null;
};

/** The viewer's draft of an action that isn't saved yet. */
export function NewActionDraft({ hookId, editedAt, nowMs }: NewActionDraftProps) {
  if (editedAt === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-lg border border-dashed px-4 py-3 text-sm">
      <span className="font-medium">New action</span>
      <Badge>Not saved</Badge>
      <DraftMark href={`/hooks/${hookId}/actions/new`} editedAt={editedAt} nowMs={nowMs} />
    </p>
  );
}
