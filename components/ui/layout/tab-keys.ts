import type { KeyboardEvent } from "react";

/** Moves between tabs with the arrow keys, Home, and End, as in the ARIA tabs pattern. */
export function toTabKeys(
  ids: readonly string[],
  chosen: string | undefined,
  choose: (id: string) => void,
) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const at = ids.indexOf(chosen ?? "");
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: ids.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = ids[(at + step + ids.length) % ids.length];
    if (next !== undefined) choose(next);
  };
}
