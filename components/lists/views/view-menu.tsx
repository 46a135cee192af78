"use client";

import { Check, ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Link } from "#components/ui/link.tsx";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { SavedView, ViewCommands, ViewParams } from "./saved-view.ts";

const SaveView = lazyPart("SaveView", () => import("./save-view.tsx"));
const ManageViews = lazyPart("ManageViews", () => import("./manage-views.tsx"));

type ViewMenuProps = {
  readonly path: string;
  /** The parameters of the list's URL, without its page. */
  readonly params: ViewParams;
  readonly views: readonly SavedView[];
  readonly commands: ViewCommands;
};

/** The saved views of a list: filters and columns under a name, for everyone of the account. */
export function ViewMenu({ path, params, views, commands }: ViewMenuProps) {
  const isAllowed = useAllowed("hooks:write");
  const [open, setOpen] = useState<"save" | "manage" | null>(null);
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ""));
  const current = views.find((view) => isSame(view.params, given));
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        label="Views"
        trigger={
          <Button look="secondary">
            {current === undefined ? "Views" : safeText(current.name)}
            <ChevronDown aria-hidden size={15} />
          </Button>
        }
      >
        {views.map((view) => (
          <MenuItem key={view.id} asChild>
            <Link href={`${path}?${new URLSearchParams(view.params)}`}>
              <span className="max-w-64 truncate">{safeText(view.name)}</span>
              {view.isDefault && (
                <span className="ml-2 text-xs text-muted-foreground">Default</span>
              )}
              {view === current && <Check aria-label="shown" size={15} className="ml-2" />}
            </Link>
          </MenuItem>
        ))}
        {isAllowed && views.length > 0 && <MenuSeparator />}
        {isAllowed && <MenuItem onSelect={() => setOpen("save")}>Save this view…</MenuItem>}
        {isAllowed && views.length > 0 && (
          <MenuItem onSelect={() => setOpen("manage")}>Manage views…</MenuItem>
        )}
      </Menu>
      <Dialog isOpen={open === "save"} onClose={close} title="Save this view">
        <Suspense>
          <SaveView params={given} save={commands.save} close={close} />
        </Suspense>
      </Dialog>
      <Dialog isOpen={open === "manage"} onClose={close} title="Saved views">
        <Suspense>
          <ManageViews views={views} params={given} commands={commands} />
        </Suspense>
      </Dialog>
    </>
  );
}

function isSame(one: ViewParams, other: ViewParams): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
