import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { ExampleRequest } from "./example-request.ts";

type ReadExample =
  | { readonly ok: true; readonly example: ExampleRequest }
  | { readonly ok: false; readonly message: string };

/** Reads pasted text: JSON, the fields of a form, or a URL with its query. */
export function readExample(pasted: string): ReadExample {
  const text = pasted.trim();
  if (text === "")
    return { ok: false, message: "Paste the request that the other system should get." };
  if (/^https?:\/\/\S+$/i.test(text)) return readUrl(text);
  if (/^[[{"]/.test(text)) {
    const parsed = parseExactJson(text);
    if (!parsed.ok) return { ok: false, message: `This isn't valid JSON: ${parsed.message}.` };
    return {
      ok: true,
      example: { url: null, query: [], body: { kind: "json", value: parsed.value } },
    };
  }
  const form = text.startsWith("?") ? text.slice(1) : text;
  if (/^[^\s=&]+=[^\s]*$/.test(form.replace(/\r?\n/g, ""))) {
    const fields = readPairs(form.replace(/\r?\n/g, ""));
    if (text.startsWith("?"))
      return { ok: true, example: { url: null, query: fields, body: { kind: "none" } } };
    return { ok: true, example: { url: null, query: [], body: { kind: "form", fields } } };
  }
  return {
    ok: false,
    message: "Paste JSON, a curl command, the fields of a form (a=1&b=2), or a URL.",
  };
}

function readUrl(text: string): ReadExample {
  const at = text.indexOf("?");
  const [url = text] = text.split(/[?#]/);
  const query = at === -1 ? [] : readPairs(text.slice(at + 1).split("#")[0] ?? "");
  return { ok: true, example: { url, query, body: { kind: "none" } } };
}

/** The names and values of a form. Also used for the parts of a curl command. */
export function readPairs(text: string): readonly (readonly [name: string, value: string])[] {
  return [...new Map(new URLSearchParams(text))];
}
