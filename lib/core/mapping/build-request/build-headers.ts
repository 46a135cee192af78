import { type RenderInput, renderText } from "#lib/core/mapping/template/render-template.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { isReservedHeader, type RequestAuth } from "#lib/schema/act/request-auth.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { listForwardedHeaders } from "./forward-delivery.ts";
import type { ProblemList } from "./problem-list.ts";

type BuiltHeaders = {
  readonly headers: (readonly [name: string, value: string])[];
  /** The content type that the action sets, or null. */
  readonly contentType: string | null;
};

type HeadersInput = Pick<BuildRequestInput, "auth" | "context"> & {
  readonly request: Pick<ActionRequestTemplate, "headers" | "forward">;
};

const maxHeaderChars = 8192;

/** The action's rendered headers, forwarded headers, and the authorization header. */
export function buildHeaders(
  input: HeadersInput,
  render: RenderInput,
  problems: ProblemList,
): BuiltHeaders {
  const headers: (readonly [string, string])[] = [];
  const authHeader = input.auth === null ? null : toAuthHeader(input.auth);
  for (const [name, template] of Object.entries(input.request.headers)) {
    if (isReservedHeader(name) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      // Saving rejects these too. This covers actions that were saved before that check.
      problems.add("header_invalid", `headers.${name}`, ["this header can't be set"]);
      continue;
    }
    if (name.toLowerCase() === authHeader?.[0].toLowerCase()) continue;
    const rendered = renderText(template, "header", render);
    if (!rendered.ok) {
      const code = rendered.code === "missing" ? "mapping_failed" : "header_invalid";
      problems.addFailure(code, `headers.${name}`, rendered);
    } else if (rendered.text.length > maxHeaderChars) {
      problems.add("header_invalid", `headers.${name}`, [
        `the value has more than ${maxHeaderChars} characters`,
      ]);
    } else {
      headers.push([name, rendered.text]);
    }
  }
  const { forward } = input.request;
  if (forward !== null) {
    const own = new Set(
      [...headers, ...(authHeader === null ? [] : [authHeader])].map(([name]) =>
        name.toLowerCase(),
      ),
    );
    headers.push(...listForwardedHeaders(input.context.raw, forward, own));
  }
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
  if (authHeader !== null) headers.push(authHeader);
  return { headers, contentType };
}

/** Null: it is no header. */
export function toAuthHeader(auth: RequestAuth): [string, string] | null {
  switch (auth.type) {
    case "bearer":
      return ["Authorization", `Bearer ${auth.token}`];
    case "basic":
      return ["Authorization", `Basic ${encodeBase64(`${auth.username}:${auth.password}`)}`];
    case "header":
      return [auth.name, auth.value];
    case "query":
    case "body":
      return null;
    default:
      return auth satisfies never;
  }
}

/** UTF-8 (RFC 7617 §2.1), without Buffer: the preview runs in browsers. */
function encodeBase64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
  );
}
