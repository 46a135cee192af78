"use client";

import { Command } from "cmdk";
import {
  BookOpen,
  CornerDownRight,
  Inbox,
  Play,
  Rss,
  Search,
  Tags,
  Users,
  Webhook,
  Zap,
} from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { useReader } from "#components/permissions/role.tsx";
import { announce } from "#components/ui/feedback/toast.ts";
import { signOutHere } from "#components/ui/sign-out-here.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import type { SearchHit } from "#lib/schema/account/search.ts";
import { type DefaultViews, toDefaultView } from "./nav-items.ts";
import { readPageCommands } from "./page-commands.ts";
import { findCommands, type PaletteCommand, retryFailedId } from "./palette-commands.ts";
import { readTyped, showPalette } from "./palette-store.ts";
import { useFailedRuns } from "./use-failed-runs.ts";
import { type SearchState, useSearch } from "./use-search.ts";

/** Commands with an effect come first, and then those that only show something. */
const groups = ["Commands", "On this page", "Create", "Go to", "Settings"] as const;
const icons = {
  hook: Webhook,
  action: Zap,
  delivery: Inbox,
  run: Play,
  event_type: Tags,
  recipient: Users,
  subscription: Rss,
  docs: BookOpen,
} as const;

/**
 * Reads the commands again whenever the page changes: it may still be loading, and live pages
 * continue to change.
 */
function usePageCommands(pathname: string): readonly PaletteCommand[] {
  const [commands, setCommands] = useState(() => readPageCommands(document, pathname));

  useEffect(() => {
    const page = document.querySelector("main");
    if (page === null) return;
    const read = () => setCommands(readPageCommands(document, pathname));
    const observer = new MutationObserver(read);
    observer.observe(page, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    // Reads changes between the first reading and now.
    read();
    return () => observer.disconnect();
  }, [pathname]);

  return commands;
}

export type PaletteProps = {
  readonly openProblems: number;
  readonly defaultViews: DefaultViews;
};

/** Shows our own commands immediately and search results from the server as they arrive. */
export function PaletteList({ openProblems, defaultViews }: PaletteProps) {
  const [text, setText] = useState(readTyped);
  const { hits, status } = useSearch(text);
  const pathname = usePathname();
  const ofPage = usePageCommands(pathname);
  const { role } = useReader();
  const commands = inOrder(
    findCommands(text, ofPage).filter(({ needs }) => needs === undefined || isAllowed(role, needs)),
  );
  const failedRuns = useFailedRuns();
  const perform = usePerform(defaultViews);
  const found = hits.filter(({ kind }) => kind !== "docs");
  const docs = hits.filter(({ kind }) => kind === "docs");
  const values = [...found.map(hitValue), ...commands.map(({ id }) => id), ...docs.map(hitValue)];
  const first = values[0] ?? "search-deliveries";
  const [chosen, setChosen] = useState(first);

  // Select the best match whenever it changes: otherwise Enter would open an outdated one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text needs a new selection
  useEffect(() => setChosen(first), [first, text]);

  return (
    <Command
      label="Search and commands"
      shouldFilter={false}
      loop
      value={chosen}
      onValueChange={setChosen}
      className="grid"
    >
      <div className="flex items-center gap-3 border-b px-4">
        <Search aria-hidden size={17} className="shrink-0 text-muted-foreground" />
        <Command.Input
          // The dialog looks for the attribute when it opens; React's autoFocus would come too
          // early.
          ref={(input) => input?.setAttribute("autofocus", "")}
          value={text}
          onValueChange={setText}
          maxLength={200}
          placeholder="Search everything, and run commands"
          className="h-12 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-muted-foreground"
        />
      </div>
      <Command.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2">
        {found.length > 0 && (
          <Group heading="In this account">
            {found.map((hit) => (
              <HitItem key={hitValue(hit)} hit={hit} perform={perform} />
            ))}
          </Group>
        )}
        {groups.map((group) => {
          const ofGroup = commands.filter((command) => command.group === group);
          if (ofGroup.length === 0) return null;
          return (
            <Group key={group} heading={group}>
              {ofGroup.map(({ id, name, icon: Icon, does }) => (
                <Item key={id} value={id} onSelect={() => perform(does)}>
                  <Icon aria-hidden size={16} className="shrink-0 text-muted-foreground" />
                  {name}
                  {id === retryFailedId && (
                    <span className="ml-auto text-xs text-muted-foreground tabular-nums">
                      {failedRuns}
                    </span>
                  )}
                  {id === "go-/problems" && openProblems > 0 && (
                    <span className="ml-auto text-xs text-negative tabular-nums">
                      {openProblems} open
                    </span>
                  )}
                </Item>
              ))}
            </Group>
          );
        })}
        {docs.length > 0 && (
          <Group heading="Docs">
            {docs.map((hit) => (
              <HitItem key={hitValue(hit)} hit={hit} perform={perform} />
            ))}
          </Group>
        )}
        {text.trim() !== "" && <DeliverySearch text={text.trim()} perform={perform} />}
      </Command.List>
      <p role="status" className="border-t px-4 py-2 text-xs text-muted-foreground">
        {describeStatus(status, values.length)}
      </p>
    </Command>
  );
}

function inOrder(commands: readonly PaletteCommand[]): readonly PaletteCommand[] {
  return groups.flatMap((group) => commands.filter((command) => command.group === group));
}

type Perform = (does: PaletteCommand["does"]) => void;

function usePerform(defaultViews: DefaultViews): Perform {
  const router = useRouter();
  const { setTheme } = useTheme();
  return (does) => {
    switch (does.kind) {
      case "go":
        showPalette("closed");
        router.push(toDefaultView(does.href, defaultViews));
        return;
      case "press":
        showPalette("closed");
        // The dialog restores the focus first, then the command may move it.
        requestAnimationFrame(() => does.control.click());
        return;
      case "theme":
        showPalette("closed");
        setTheme(does.theme);
        announce("Theme switched.");
        return;
      case "shortcuts":
        showPalette("shortcuts");
        return;
      case "sign-out":
        showPalette("closed");
        void signOutHere();
    }
  };
}

function HitItem({ hit, perform }: { hit: SearchHit; perform: Perform }) {
  const Icon = icons[hit.kind];
  return (
    <Item value={hitValue(hit)} onSelect={() => perform({ kind: "go", href: hit.href })}>
      <Icon aria-hidden size={16} className="shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">{safeText(hit.name)}</span>
      <span className="ml-auto max-w-[50%] shrink-0 truncate text-xs text-muted-foreground">
        {safeText(hit.detail)}
      </span>
    </Item>
  );
}

function hitValue({ kind, id }: SearchHit): string {
  return `${kind}-${id}`;
}

/** The last entry, for content without a name or id: searches all deliveries for the text. */
function DeliverySearch({ text, perform }: { text: string; perform: Perform }) {
  const href = `/deliveries?${new URLSearchParams({ q: text })}`;
  return (
    <Item value="search-deliveries" onSelect={() => perform({ kind: "go", href })}>
      <CornerDownRight aria-hidden size={16} className="shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">Deliveries that contain “{safeText(text)}”</span>
    </Item>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className={
        "mb-1 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1.5 " +
        "**:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium " +
        "**:[[cmdk-group-heading]]:text-muted-foreground"
      }
    >
      {children}
    </Command.Group>
  );
}

function Item({
  value,
  onSelect,
  children,
}: {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className={
        "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md " +
        "px-2.5 py-1.5 text-sm data-[selected=true]:bg-muted"
      }
    >
      {children}
    </Command.Item>
  );
}

function describeStatus(status: SearchState["status"], count: number): string {
  switch (status) {
    case "idle":
      return "Arrow keys to choose, Enter to open, Escape to close.";
    case "searching":
      return "Searching…";
    case "failed":
      return "Search is unavailable. Check your connection and try again.";
    case "done":
      if (count === 0) return "Nothing has this name or id.";
      return count === 1 ? "1 result" : `${count} results`;
  }
}
