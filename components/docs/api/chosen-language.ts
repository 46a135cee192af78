import { useSyncExternalStore } from "react";
import type { Language } from "./call.ts";

const storageKey = "catchment.docs.language";

export const languages: readonly { readonly id: Language; readonly title: string }[] = [
  { id: "curl", title: "curl" },
  { id: "client", title: "TypeScript" },
  { id: "node", title: "Node" },
  { id: "python", title: "Python" },
  { id: "go", title: "Go" },
];

/**
 * The script that sets the chosen language before the first paint, so that nothing moves. The style
 * sheet shows the samples in the language of the root element.
 */
export const languageScript =
  `try{var l=localStorage.getItem(${JSON.stringify(storageKey)});` +
  "if(l)document.documentElement.dataset.language=l}catch(e){}";

const listeners = new Set<() => void>();

/** The language of all samples, kept in this browser. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, readLanguage, () => "curl");
}

export function chooseLanguage(language: Language): void {
  document.documentElement.dataset.language = language;
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readLanguage(): Language {
  const { language } = document.documentElement.dataset;
  return languages.find(({ id }) => id === language)?.id ?? "curl";
}
