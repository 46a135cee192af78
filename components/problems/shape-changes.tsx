import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

type ShapeDetails = Extract<ProblemDetails, { kind: "shape" }>;

type ShapeChangesProps = {
  readonly details: ShapeDetails;
  /** Mappings are opened on it. Null: it is no longer stored. */
  readonly exampleId: string | null;
};

/** The fields that changed, and the actions and mappings that break. */
export function ShapeChanges({ details: { changes, actions }, exampleId }: ShapeChangesProps) {
  return (
    <>
      <section className="grid grid-cols-1 gap-3" aria-labelledby="fields">
        <h2 id="fields" className="text-lg font-semibold tracking-tight">
          Changed fields
        </h2>
        <Card>
          <ul className="divide-y" aria-labelledby="fields">
            {changes.map((change) => (
              <Change key={`${change.change} ${change.path}`} {...change} />
            ))}
          </ul>
        </Card>
      </section>
      <section className="grid grid-cols-1 gap-3" aria-labelledby="mappings">
        <h2 id="mappings" className="text-lg font-semibold tracking-tight">
          Mappings that break
        </h2>
        {actions.length === 0 ? (
          <p className="text-sm text-muted-foreground">No action reads what changed.</p>
        ) : (
          <Card>
            <ul className="divide-y" aria-labelledby="mappings">
              {actions.map((action) => (
                <BrokenAction key={action.id} {...action} exampleId={exampleId} />
              ))}
            </ul>
          </Card>
        )}
      </section>
    </>
  );
}

function Change({ path, change, before, after }: ShapeDetails["changes"][number]) {
  const { name, tone } = changeWords[change];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <span className="w-24">
        <Badge tone={tone}>{name}</Badge>
      </span>
      <code className="min-w-0 font-mono text-xs wrap-anywhere">{safeText(path)}</code>
      <span className="ml-auto text-muted-foreground">
        {change === "type" && `was ${safeText(before ?? "")}, is ${safeText(after ?? "")}`}
        {change === "missing" && `was ${safeText(before ?? "")}`}
        {change === "new" && safeText(after ?? "")}
      </span>
    </li>
  );
}

const changeWords: Readonly<
  Record<ShapeDetails["changes"][number]["change"], { name: string; tone: Tone }>
> = {
  missing: { name: "Missing", tone: "negative" },
  type: { name: "Type", tone: "caution" },
  new: { name: "New", tone: "neutral" },
};

type BrokenActionProps = ShapeDetails["actions"][number] & { readonly exampleId: string | null };

function BrokenAction({ id, name, paths, readBy, exampleId }: BrokenActionProps) {
  const query = exampleId === null ? "" : `?${new URLSearchParams({ delivery: exampleId })}`;
  return (
    <li className="grid gap-1.5 px-4 py-2.5 text-sm">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link
          href={`/actions/${id}${query}`}
          className="min-w-0 rounded-sm font-medium break-words underline-offset-4 hover:underline"
        >
          {safeText(name)}
        </Link>
        <span className="min-w-0 wrap-anywhere text-muted-foreground">
          reads <code className="font-mono text-xs">{safeText(paths.join(", "))}</code>
        </span>
      </span>
      {readBy.length > 0 && (
        <ul aria-label={`Mappings of ${safeText(name)}`} className="flex flex-wrap gap-1.5">
          {readBy.map((place) => (
            <li key={place}>
              <Link
                href={`/actions/${id}${query}#${encodeURIComponent(place)}`}
                className={
                  "inline-flex min-h-6 items-center rounded-sm bg-muted px-1.5 font-mono text-xs " +
                  "wrap-anywhere underline-offset-4 hover:underline"
                }
              >
                {safeText(place)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
