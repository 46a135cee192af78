/** The state of the palette: the app shell draws it, and any button can open it. */
export type PaletteView = "closed" | "palette" | "shortcuts";

export function showPalette(next: PaletteView): void {
  view = next;
  for (const listener of listeners) listener();
}

export function readPalette(): PaletteView {
  return view;
}

export function watchPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let view: PaletteView = "closed";
const listeners = new Set<() => void>();
