import { Allowed } from "#components/permissions/role.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { listActionTemplates } from "#lib/core/mapping/action-templates/list-action-templates.ts";
import type { EditorStart } from "./editor-start.ts";

type FirstActionProps = { readonly hookId: string; readonly provider: string };

const shownTemplates = 3;

const starts: readonly { readonly start: EditorStart; readonly label: string }[] = [
  { start: "templates", label: "All templates" },
  { start: "curl", label: "Paste curl" },
  { start: "example", label: "Paste an example" },
];

/** The ways to begin on the page of a hook without actions. Those for its provider come first. */
export function FirstAction({ hookId, provider }: FirstActionProps) {
  const path = `/hooks/${hookId}/actions/new`;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 rounded-lg border border-dashed p-5">
      <p className="text-sm text-muted-foreground">
        No actions yet. An action calls another system for each new delivery, with fields from its
        payload. Begin with a template, a curl command, or an example of the request.
      </p>
      <Allowed to="hooks:write">
        <ul className="grid gap-2 md:grid-cols-3">
          {listActionTemplates(provider)
            .slice(0, shownTemplates)
            .map(({ id, title, does, providers }) => (
              <li key={id}>
                <Link
                  href={`${path}?template=${id}`}
                  className={
                    "grid h-full content-start gap-1 rounded-lg border bg-card px-3 py-2.5 text-sm " +
                    "hover:border-input hover:bg-muted/60"
                  }
                >
                  <span className="flex flex-wrap items-center gap-2 font-medium">
                    {title}
                    {providers.includes(provider) && <Badge tone="positive">Your provider</Badge>}
                  </span>
                  <span className="text-xs text-muted-foreground">{does}</span>
                </Link>
              </li>
            ))}
        </ul>
      </Allowed>
      <Allowed to="hooks:write">
        <div className="flex flex-wrap gap-2">
          {starts.map(({ start, label }) => (
            <Link
              key={start}
              href={`${path}?start=${start}`}
              className={buttonClasses("secondary")}
            >
              {label}
            </Link>
          ))}
        </div>
      </Allowed>
    </div>
  );
}
