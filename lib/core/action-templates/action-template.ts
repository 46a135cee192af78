/** A common job, ready but for what only the user has. Everything in it can be changed. */
export type ActionTemplate = {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  /** Ids of providers that it is for. Empty: any. */
  readonly providers: readonly string[];
  /** The event whose fields it uses. Null: any. */
  readonly eventType: string | null;
  /** The body of `POST /hooks/{id}/actions`. */
  readonly action: Readonly<Record<string, unknown>> & { readonly name: string };
  /** What the user fills in, such as a URL or credentials. */
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
