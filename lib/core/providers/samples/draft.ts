import type { SampleContent } from "#lib/core/providers/shapes/sample-event.ts";
import { type PathStep, readSteps } from "#lib/schema/field/value-path.ts";
import type { TokenSource, ValueSource } from "#lib/schema/receive/verification.ts";
import type { Sample } from "./build-sample.ts";

type Fields = Record<string, unknown>;

/** A sample under construction: values are put where a scheme reads them, then it is serialized. */
export class Draft {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly #json: unknown;
  readonly #form: URLSearchParams | null;
  readonly #xml: string | null;

  /** @param wantsForm the scheme signs the fields of a form, so a JSON object is sent as a form */
  constructor(sample: Sample, url: string, wantsForm: boolean) {
    this.url = new URL(url);
    this.headers = sample.headers;
    const { content } = sample;
    this.#json = "json" in content ? structuredClone(content.json) : null;
    const form = "form" in content ? content.form : wantsForm ? toForm(this.#json) : null;
    this.#form = form === null ? null : new URLSearchParams(form);
    this.#xml = "xml" in content ? content.xml : null;
  }

  /** Signing adds headers and parts of the signature itself. */
  put(source: TokenSource, value: string): void {
    switch (source.from) {
      case "path":
        this.url.pathname += `/${encodeURIComponent(value)}`;
        break;
      case "query":
        this.url.searchParams.set(source.name, value);
        break;
      case "form":
        this.#form?.set(source.name, value);
        break;
      case "body":
        setPath(this.#json, readSteps(source.path), value);
        break;
      default:
    }
  }

  putIfMissing(source: ValueSource, value: string): void {
    if (source.from === "body" && hasPath(this.#json, readSteps(source.path))) return;
    this.put(source, value);
  }

  body(): Buffer {
    const text = this.#form?.toString() ?? this.#xml ?? JSON.stringify(this.#json);
    return Buffer.from(text, "utf8");
  }

  contentType(): string {
    if (this.#form !== null) return "application/x-www-form-urlencoded";
    return this.#xml === null ? "application/json" : "text/xml; charset=utf-8";
  }
}

/** The body of a sample without its signature. */
export function writeContent(content: SampleContent) {
  const draft = new Draft({ eventType: "", headers: {}, content }, "https://example.com", false);
  return { body: draft.body(), contentType: draft.contentType() };
}

/** The fields of an object that a form can contain. */
function toForm(json: unknown): Record<string, string> {
  const entries = Object.entries(json ?? {}).map(([name, value]) => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function hasPath(value: unknown, path: readonly PathStep[]): boolean {
  let current = value;
  for (const key of path) {
    if (!isFields(current) || !Object.hasOwn(current, key)) return false;
    current = current[key];
  }
  return true;
}

/** Sets the value at a path, and makes the objects and lists on the way. */
export function setPath(target: unknown, [key, ...rest]: readonly PathStep[], value: string): void {
  if (key === undefined || !isFields(target)) return;
  if (key === "*" && Array.isArray(target)) {
    if (target.length === 0) target.push({});
    for (const item of target) setPath(item, rest, value);
    return;
  }
  const [next] = rest;
  if (next !== undefined && !(Object.hasOwn(target, key) && isFields(target[key])))
    define(target, key, /^(?:\d+|\*)$/.test(String(next)) ? [] : {});
  if (next === undefined) define(target, key, value);
  else setPath(target[key], rest, value);
}

/** Defines the property, because an assignment to `__proto__` would not create a normal key. */
function define(target: Fields, key: PathStep, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
