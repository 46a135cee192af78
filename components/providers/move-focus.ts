import type { KeyboardEvent } from "react";

/** Moves between the links of a grid with arrow keys. Above the first row is the search field. */
export function moveFocus(event: KeyboardEvent, list: HTMLElement, field: HTMLElement): void {
  const links = [...list.querySelectorAll<HTMLElement>("a")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = findNext(event.key, links, at);
  if (next === undefined) return;
  event.preventDefault();
  (next === "field" ? field : next).focus();
}

function findNext(
  key: string,
  links: readonly HTMLElement[],
  at: number,
): HTMLElement | "field" | undefined {
  const current = links[at];
  if (current === undefined) return key === "ArrowDown" ? links[0] : undefined;
  switch (key) {
    case "ArrowRight":
      return links[at + 1];
    case "ArrowLeft":
      return links[at - 1];
    case "Home":
      return links[0];
    case "End":
      return links.at(-1);
    case "ArrowDown":
      return findInNextRow(current, links.slice(at + 1));
    case "ArrowUp":
      return findInNextRow(current, links.slice(0, at).toReversed()) ?? "field";
    default:
      return undefined;
  }
}

/** The nearest link in the next row. `others` are in reading order. */
function findInNextRow(
  current: HTMLElement,
  others: readonly HTMLElement[],
): HTMLElement | undefined {
  const { top, left } = current.getBoundingClientRect();
  const places = others.map((link) => ({ link, box: link.getBoundingClientRect() }));
  const row = places.find(({ box }) => Math.abs(box.top - top) > 4)?.box.top;
  if (row === undefined) return undefined;
  const inRow = places.filter(({ box }) => Math.abs(box.top - row) <= 4);
  return inRow.toSorted(
    (one, other) => Math.abs(one.box.left - left) - Math.abs(other.box.left - left),
  )[0]?.link;
}
