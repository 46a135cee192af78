/**
 * Returns whether single-key shortcuts are on: people who use speech input may trigger them by accident (WCAG
 * 2.2, 2.1.4).
 */
export function hasKeyShortcuts(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    // The browser stores nothing.
    return true;
  }
}

export function setKeyShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storageKey, isOn ? "on" : "off");
  } catch {
    // The setting then applies to this page only.
  }
}

const storageKey = "catchment.key-shortcuts";
