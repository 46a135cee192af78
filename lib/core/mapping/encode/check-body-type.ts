import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { type Place, placeOfType, readMediaType } from "./place.ts";

type WrongType = {
  /** The path in the action's request. */
  readonly path: string;
  readonly code: "conflict";
  readonly message: string;
};

/**
 * Finds a declared `Content-Type` that isn't that of the body: the receiver would read another thing
 * than was sent, or nothing. What a template declares isn't known yet.
 */
export function findWrongType(request: ActionRequestTemplate): WrongType | null {
  const [name, type] =
    Object.entries(request.headers).find(([each]) => each.toLowerCase() === "content-type") ?? [];
  if (name === undefined || type === undefined || request.forward !== null) return null;
  const message = describeWrong(request, type);
  return message === null ? null : { path: `headers.${name}`, code: "conflict", message };
}

function describeWrong(
  { body, bodyText, multipart }: ActionRequestTemplate,
  contentType: string,
): string | null {
  if (multipart !== undefined) return typeOfParts;
  if ((body === null && bodyText === null) || /\{[{%]/.test(contentType)) return null;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return `declares ${charset}, and Catchment sends UTF-8. Write charset=utf-8, or no charset`;
  return body === null ? null : describeJson(contentType);
}

/** A clause after the header. */
export const typeOfParts =
  "must be left out: multipart sets it, with the boundary between its parts";

/** Null: the body can be of this type. */
function describeJson(contentType: string): string | null {
  const { essence, type } = readMediaType(contentType);
  const change = changes[placeOfType(contentType)] ?? (isMedia.test(type) ? toText : undefined);
  return change === undefined ? null : `is ${essence}, and body is sent as JSON. ${change}`;
}

const isMedia = /^(?:audio|font|haptics|image|model|multipart|video)$/;
const toText = "Write the content as bodyText, or declare application/json";

const changes: Readonly<Partial<Record<Place, string>>> = {
  multipart: "Send a form as multipart, write other parts as bodyText, or declare application/json",
  message: toText,
  xml: "Write the XML or HTML as bodyText, or declare application/json",
  csv: "Write the rows as bodyText, or declare application/json",
  tsv: "Write the rows as bodyText, or declare application/json",
  calendar: toText,
  lines: toText,
  graphql: "Declare application/json, with query and variables in the body, or write bodyText",
};
