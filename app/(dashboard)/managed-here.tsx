import type { ReactNode } from "react";
import { ManagedBy } from "#components/managed/managed-by.tsx";
import { ManagedMarks } from "#components/status/managed-mark.tsx";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import type { MarkedKind } from "#lib/schema/configuration-plan.ts";
import { listManaged, readManaged } from "#lib/services/configuration/managed.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import {
  readConfigurationFileCommand,
  releaseManagedCommand,
} from "#lib/web/configuration/commands.ts";

type Thing = { readonly kind: MarkedKind; readonly id: string };

/** The badge of something that configuration files manage. Nothing if none does. */
export async function ManagedHere({ kind, id }: Thing) {
  if (!(await mayRead())) return null;
  const managed = await readManaged(await pageContext(), { kind, id });
  if (managed === null) return null;
  return (
    <ManagedBy
      managed={managed}
      thing={{ kind, id }}
      nowMs={Date.now()}
      download={readConfigurationFileCommand}
      release={releaseManagedCommand.bind(null, kind, id)}
    />
  );
}

/** No page needs the right to see who manages what it shows. */
async function mayRead(): Promise<boolean> {
  return isAllowed((await requireSession()).role, "account:read");
}

type ManagedRowsProps = {
  readonly kind: MarkedKind;
  readonly rows: readonly { readonly id: string }[];
  readonly children: ReactNode;
};

/** Marks the rows of a list that configuration files manage. */
export async function ManagedRows({ kind, rows, children }: ManagedRowsProps) {
  if (!(await mayRead())) return children;
  const ids = rows.map(({ id }) => id);
  const marks = await listManaged(await pageContext(), { kind, ids });
  return <ManagedMarks marks={{ [kind]: Object.fromEntries(marks) }}>{children}</ManagedMarks>;
}
