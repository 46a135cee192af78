"use client";

import { FileCode } from "lucide-react";
import { useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type ManagedCommands, ManagedWays, type Thing } from "./managed-ways.tsx";

type ManagedView = {
  /** The mark of the files. */
  readonly managedBy: string;
  /** What was changed since the files were last applied. Null: nothing. */
  readonly changed: { readonly at: Date; readonly fields: readonly string[] } | null;
};

type ManagedByProps = ManagedCommands & {
  readonly managed: ManagedView;
  readonly thing: Thing;
  readonly nowMs: number;
};

/**
 * The badge of something that files manage, and once it was changed here, what can be done about it.
 * It can always be changed.
 */
export function ManagedBy({ managed, thing, nowMs, ...commands }: ManagedByProps) {
  const [isOpen, setIsOpen] = useState(false);
  const mayRelease = useAllowed("configuration:write");
  const { managedBy, changed } = managed;
  const name = safeText(managedBy);
  const ways = mayRelease ? <ManagedWays managedBy={name} thing={thing} {...commands} /> : null;
  return (
    <>
      <button
        type="button"
        className="badge inline-flex max-w-full cursor-pointer items-center gap-1.5 hover:text-foreground"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <FileCode aria-hidden size={13} className="shrink-0" />
        <span className="truncate">Managed by code: {name}</span>
      </button>
      {changed !== null && (
        <div className="basis-full text-foreground">
          <Notice>
            <div className="grid gap-2.5">
              <p>
                {describeChanged(changed.fields)} <RelativeTime at={changed.at} nowMs={nowMs} />.{" "}
                {describeWays(name)}
              </p>
              {ways}
            </div>
          </Notice>
        </div>
      )}
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={`Managed by code: ${name}`}>
        <div className="grid gap-2 text-sm text-muted-foreground">
          <p>
            Configuration files with the mark “{name}” manage this {thing.kind}. You can change it
            here: the next plan of the files says so, and their next apply undoes it, unless they
            say the same by then.
          </p>
          {mayRelease && (
            <p>
              Downloaded, it is an entry for your files, without secrets. Released, it stays as it
              is, without the mark: a prune no longer deletes it. Files that still have it take it
              back with their next apply.
            </p>
          )}
        </div>
        {ways}
      </Dialog>
    </>
  );
}

const maxFields = 4;

/** What was changed here, as the begin of a sentence. */
function describeChanged(fields: readonly string[]): string {
  if (fields.length === 0) return "Changed here since the files were last applied,";
  const shown = fields.slice(0, maxFields).join(", ");
  const rest = fields.length - maxFields;
  return `Changed here since the files were last applied: ${shown}${rest > 0 ? `, and ${rest} more` : ""},`;
}

function describeWays(managedBy: string): string {
  const keep = `Keep it like this, and the next plan of ${managedBy} warns of it.`;
  return `${keep} Or take it to the files, or out of their hands.`;
}
