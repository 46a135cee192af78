import type { Language } from "#lib/schema/shown-call.ts";

export const languages: readonly { readonly id: Language; readonly title: string }[] = [
  { id: "curl", title: "curl" },
  { id: "client", title: "TypeScript" },
  { id: "node", title: "Node" },
  { id: "python", title: "Python" },
  { id: "go", title: "Go" },
];

/** Where this browser keeps the chosen language. */
export const languageKey = "catchment.docs.language";

/**
 * The script that sets the chosen language before the first paint, so that nothing moves. The style
 * sheet shows the samples in the language of the root element.
 */
export const languageScript =
  `try{var l=localStorage.getItem(${JSON.stringify(languageKey)});` +
  "if(l)document.documentElement.dataset.language=l}catch(e){}";
