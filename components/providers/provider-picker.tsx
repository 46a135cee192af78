"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { moveFocus } from "./move-focus.ts";
import { ProviderMark } from "./provider-mark.tsx";

type ProviderEntry = {
  readonly id: string;
  readonly name: string;
  readonly group: "used" | "scheme" | "provider";
  readonly isUnconfirmed?: true;
};

type ProviderPickerProps = {
  readonly providers: readonly ProviderEntry[];
  /** The next page, to which the chosen id is appended. */
  readonly to: string;
  readonly current?: string;
};

type Group = { readonly title: string; readonly entries: readonly Entry[] };
type Entry = ProviderEntry & { readonly text?: string };

const unsigned: Entry = {
  id: "generic",
  name: "Other (unsigned)",
  group: "used",
  text: "Any system that can call a URL. Deliveries aren't verified, so treat the URL as a secret.",
};
const custom: Entry = {
  id: "custom",
  name: "Custom signature",
  group: "scheme",
  text: "Choose the signature header and algorithm.",
};
const anyone: readonly Entry[] = [custom, unsigned];

/**
 * The provider picker. Entries are links, so that each works immediately and is in the history.
 * Typing narrows them, Enter takes the first, arrow keys move.
 */
export function ProviderPicker({ providers, to, current }: ProviderPickerProps) {
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [isAll, setIsAll] = useState(false);
  const groups = groupEntries(providers, query, isAll);
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);

  // Text typed before hydration is in the field.
  useEffect(() => setQuery(input.current?.value ?? ""), []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && event.target === input.current) {
      event.preventDefault();
      if (query.trim() !== "") list.current?.querySelector("a")?.click();
      return;
    }
    if (list.current !== null && input.current !== null)
      moveFocus(event, list.current, input.current);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only adds arrow keys to links
    <div className="grid grid-cols-1 gap-5" onKeyDown={onKeyDown}>
      <div className="relative">
        <Search aria-hidden size={16} className="absolute top-3 left-3 text-muted-foreground" />
        <input
          ref={input}
          type="search"
          aria-label="Search providers"
          placeholder="Search: Stripe, GitHub, Shopify …"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the page exists to find the provider
          autoFocus
          onChange={(event) => setQuery(event.target.value)}
          className={
            "h-10 w-full rounded-md border border-input bg-card pr-3 " +
            "pl-9 text-sm placeholder:text-muted-foreground"
          }
        />
      </div>
      <p aria-live="polite" className="sr-only">
        {query.trim() !== "" && `${count} ${count === 1 ? "match" : "matches"}`}
      </p>
      <div ref={list} className="grid grid-cols-1 gap-6">
        {groups.map(({ title, entries }) => (
          <section key={title} aria-label={title} className="grid grid-cols-1 gap-2.5">
            <h2 className="text-sm font-medium text-muted-foreground">{title}</h2>
            <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <EntryLink
                    entry={entry}
                    href={`${to}${entry.id}`}
                    isCurrent={entry.id === current}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {!isAll && query.trim() === "" && (
        <div>
          <Button look="secondary" onClick={() => setIsAll(true)}>
            Show all {providers.length} providers
          </Button>
        </div>
      )}
    </div>
  );
}

function EntryLink({ entry, href, isCurrent }: { entry: Entry; href: string; isCurrent: boolean }) {
  const { id, name, text, isUnconfirmed } = entry;
  return (
    <Link
      href={href}
      aria-current={isCurrent || undefined}
      className={
        "flex h-full items-center gap-3 rounded-lg border bg-card px-3 py-2.5 " +
        "hover:border-input hover:bg-muted/60 aria-[current]:border-primary"
      }
    >
      <ProviderMark id={id} name={name} />
      <span className="grid min-w-0 gap-0.5">
        <span className="text-sm font-medium break-words">{name}</span>
        {text !== undefined && <span className="text-xs text-muted-foreground">{text}</span>}
        {isUnconfirmed && (
          <span className="text-xs text-muted-foreground">not confirmed against the provider</span>
        )}
      </span>
    </Link>
  );
}

/** Matches words of the name in any order. If nothing matches, the generic options remain. */
function groupEntries(
  providers: readonly ProviderEntry[],
  query: string,
  isAll: boolean,
): readonly Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const of = (group: ProviderEntry["group"]) =>
      providers.filter((entry) => entry.group === group);
    const groups = [
      { title: "Popular", entries: of("used") },
      ...(isAll ? [{ title: "All providers", entries: of("provider") }] : []),
      { title: "By authentication method", entries: [custom, ...of("scheme")] },
      { title: "No verification", entries: [unsigned] },
    ];
    return groups;
  }
  const fits = ({ id, name }: ProviderEntry) =>
    words.every((word) => `${name} ${id}`.toLowerCase().includes(word));
  const starts = ({ name }: ProviderEntry) => name.toLowerCase().startsWith(words[0] ?? "");
  const found = providers
    .filter(fits)
    .toSorted((one, other) => Number(starts(other)) - Number(starts(one)));
  if (found.length === 0) return [{ title: "Not listed? Use one of these", entries: anyone }];
  return [{ title: `Found for “${query.trim()}”`, entries: [...found, ...anyone.filter(fits)] }];
}
