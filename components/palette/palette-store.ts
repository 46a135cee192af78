/** The state of the palette: the app shell draws it, and any button can open it. */
export type PaletteView = "closed" | "palette" | "shortcuts";

export function showPalette(next: PaletteView): void {
  view = next;
  typed = "";
  for (const listener of listeners) listener();
}

export function readPalette(): PaletteView {
  return view;
}

export function watchPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps what is typed while the palette loads, for its field. */
export function typeIntoPalette(key: string): void {
  typed += key;
}

export function readTyped(): string {
  return typed;
}

let view: PaletteView = "closed";
let typed = "";
const listeners = new Set<() => void>();
