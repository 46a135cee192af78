type ReadBody =
  /** Null: nothing is sent. */
  | { readonly ok: true; readonly body: string | null }
  | { readonly ok: false; readonly message: string };

/**
 * Reads what a subscription's transform returned, as JSON without white space around it: the whole
 * body, or null. Text is refused, because it is most often JSON that was written twice.
 */
export function readTransformed(json: string): ReadBody {
  if (json === "null") return { ok: true, body: null };
  if (/^[{[]/.test(json)) return { ok: true, body: json };
  const what = json.startsWith('"') ? "text" : /^[tf]/.test(json) ? "a boolean" : "a number";
  const advice = json.startsWith('"') ? " without JSON.stringify" : "";
  return {
    ok: false,
    message: `The result is ${what}. Return an object or a list${advice}, or null to send nothing.`,
  };
}

/** The reason of a send whose transform returned null. */
export const skippedByTransform = {
  code: "skipped_by_transform",
  detail: "The subscription's transform returned null, so nothing was sent.",
} as const;
