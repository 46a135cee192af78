/** Names that programs for browsers or Node use and transforms don't have, with the way out. */
export const missingGlobals: Readonly<Record<string, string>> = {
  Intl: "Use toLocaleString, toLocaleDateString, or localeCompare with a locale and options",
  URL: "Split the text, or use decodeURIComponent(…). delivery.query and delivery.path are parsed already",
  URLSearchParams:
    "Use encodeURIComponent(…) and decodeURIComponent(…). delivery.query is parsed already",
  TextEncoder: "Write unescape(encodeURIComponent(text)) for the bytes of UTF-8",
  TextDecoder: "Write decodeURIComponent(escape(bytes)) for text from bytes of UTF-8",
  Buffer: "Use atob(…) and btoa(…) for base64",
  structuredClone: "Write ({ ...value }) or [...value] for a copy",
  crypto:
    "Use Math.random() or delivery.id. A transform can't sign: use a saved credential of the call",
  fetch: "Add a step that makes the call before this one, and read steps.<key>.body",
  XMLHttpRequest: "Add a step that makes the call before this one, and read steps.<key>.body",
  setTimeout: "Add a delay as a step",
  setInterval: "Add a delay as a step",
  console: "Return the value, and look at it in the preview",
  require: "Put the code into the transform",
  process: "Put the value into the transform",
  performance: "Use Date.now(), which is the time of the delivery",
  window: "Use delivery and steps",
  document: "Use delivery and steps",
  SharedArrayBuffer: "A transform has no threads",
  Atomics: "A transform has no threads",
};
