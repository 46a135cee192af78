import {
  CornerDownRight,
  KeyRound,
  Link2,
  ListFilter,
  MousePointerClick,
  Plus,
  Settings,
} from "lucide-react";
import type { PaletteCommand } from "./palette-commands.ts";

/**
 * Commands of the current page: its buttons and links in elements with `data-commands`, and related
 * pages. The attribute's value names their subject ("hook").
 */
export function readPageCommands(page: ParentNode, pathname: string): readonly PaletteCommand[] {
  const controls = [...page.querySelectorAll<HTMLElement>(controlsInReach)];
  return [...controls.flatMap(toCommand), ...listPlaces(pathname)];
}

const controlsInReach = "[data-commands] button:enabled, [data-commands] a[href]";

function toCommand(control: HTMLElement, at: number): readonly PaletteCommand[] {
  const name = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
  // A closed dialog's content is in the page but not visible.
  if (name === "" || control.closest("dialog:not([open])") !== null) return [];
  const about = control.closest("[data-commands]")?.getAttribute("data-commands") ?? "";
  return [
    {
      id: `page-${at}`,
      group: "On this page",
      name,
      words: about,
      icon: MousePointerClick,
      does: { kind: "press", control },
    },
  ];
}

/** Pages about a hook, on any page of that hook. */
function listPlaces(pathname: string): readonly PaletteCommand[] {
  const hookId = /^\/hooks\/([0-9a-f-]{36})(?:\/|$)/.exec(pathname)?.[1];
  if (hookId === undefined) return [];
  const hook = `/hooks/${hookId}`;
  const places: readonly [
    name: string,
    href: string,
    words: string,
    icon: PaletteCommand["icon"],
  ][] = [
    ["New action", `${hook}/actions/new`, "create add hook", Plus],
    ["Hook overview", hook, "open page", CornerDownRight],
    ["Hook settings", `${hook}/settings`, "open page edit", Settings],
    ["Rotate catch URL", `${hook}/settings#catch-url`, "new leak change hook", Link2],
    ["Rotate signing secret", `${hook}/settings#signing-secret`, "new change add hook", KeyRound],
    [
      "Rejected deliveries of this hook",
      `/deliveries?hookId=${hookId}&status=rejected`,
      "list",
      ListFilter,
    ],
    ["Failed runs of this hook", `/runs?hookId=${hookId}&status=failed`, "list errors", ListFilter],
  ];
  return places
    .filter(([, href]) => href !== pathname)
    .map(([name, href, words, icon]) => ({
      id: `page-${href}`,
      group: "On this page",
      name,
      words,
      icon,
      does: { kind: "go", href },
    }));
}
