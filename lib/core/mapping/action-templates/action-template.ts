/**
 * A common job with everything filled in except what only the user knows. Everything in it can be
 * changed.
 */
export type ActionTemplate = {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  /** The ids of its providers. Empty: any provider. */
  readonly providers: readonly string[];
  /** The event whose fields it uses. Null: any. */
  readonly eventType: string | null;
  /** The body of `POST /hooks/{id}/actions`. */
  readonly action: Readonly<Record<string, unknown>> & { readonly name: string };
  /** The values that the user fills in, such as a URL or credentials. */
  readonly fillIn: readonly string[];
};

/** A condition on one value. */
export function when(path: string, value: string | boolean) {
  return { all: [{ path, op: "equals", value }] };
}

/** A call with JSON. */
export function post(url: string, body: unknown, more: object = {}) {
  return { method: "POST", url, body, ...more };
}
