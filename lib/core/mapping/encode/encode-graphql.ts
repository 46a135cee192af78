import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/**
 * A GraphQL document. Inside quotes, a value is escaped (the escapes are those of JSON). Outside, it
 * is a literal: a text gets its quotes, so that it can't add fields or operations.
 * https://spec.graphql.org/October2021/#sec-String-Value
 */
export function encodeGraphql(parts: readonly TextPart[]): Encoded {
  let at: "outside" | "string" | "block" | "comment" = "outside";
  let text = "";
  for (const part of parts) {
    if (part.kind === "literal") {
      for (const [token] of part.text.matchAll(/\\"""|\\[\s\S]|"""|"|#|\n|\r/g))
        at = next(at, token);
      text += part.text;
      continue;
    }
    if (at === "comment" || at === "block")
      return refuse(`a value can't stand in a ${at} ${at === "block" ? "string " : ""}of GraphQL`);
    if (at === "string") text += JSON.stringify(part.text).slice(1, -1);
    else if (isLiteral(JSON.parse(part.json()))) text += part.json();
    else return refuse(notLiteral);
  }
  return { ok: true, text };
}

type Place = "outside" | "string" | "block" | "comment";

function next(at: Place, token: string): Place {
  const endsLine = token === "\n" || token === "\r";
  switch (at) {
    case "comment":
      return endsLine ? "outside" : "comment";
    case "block":
      return token === '"""' ? "outside" : "block";
    case "string":
      return token === '"' || token === '"""' || endsLine ? "outside" : "string";
    case "outside":
      if (token === "#") return "comment";
      if (token === '"""') return "block";
      return token === '"' ? "string" : "outside";
    default:
      return at satisfies never;
  }
}

function isLiteral(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isLiteral)
    : typeof value !== "object" || value === null;
}

const notLiteral =
  "an object can't stand in a GraphQL document. Send application/json with query and variables instead";
