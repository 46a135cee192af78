/** Whether single keys do something: who speaks to their computer may press them without knowing (WCAG 2.2, 2.1.4). */
export function hasKeyShortcuts(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    // A browser that keeps nothing.
    return true;
  }
}

export function setKeyShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storageKey, isOn ? "on" : "off");
  } catch {
    // It counts for this page only, then.
  }
}

const storageKey = "catchment.key-shortcuts";
