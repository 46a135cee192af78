import { useSyncExternalStore } from "react";
import type { Language } from "#lib/schema/shown-call.ts";
import { languageKey, languages } from "./languages.ts";

const listeners = new Set<() => void>();

/** The language of all samples, kept in this browser. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, readLanguage, () => "curl");
}

export function chooseLanguage(language: Language): void {
  document.documentElement.dataset.language = language;
  try {
    localStorage.setItem(languageKey, language);
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
