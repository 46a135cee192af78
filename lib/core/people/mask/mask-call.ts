/**
 * Masks what calls sent and got back. It was made from payloads by templates and code, and what became of a
 * masked field can't be recognized in it, so nothing of it is shown but its outline.
 */
import { maskText } from "#lib/schema/receive/mask-text.ts";

type Message = Readonly<Record<string, unknown>>;

/** Masks a request or response as the worker stores it, or the result of a step: JSON text. */
export function maskCall(json: string): string {
  const call = JSON.parse(json) as Message | null;
  if (call === null || typeof call !== "object") return JSON.stringify(maskText);
  const masked = Object.entries(call).map(([name, value]) => [name, maskPart(name, value)]);
  return JSON.stringify(Object.fromEntries(masked));
}

function maskPart(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  switch (name) {
    case "status":
      return typeof value === "number" ? value : maskText;
    case "method":
      return value;
    case "url":
      return maskUrl(String(value));
    case "headers":
      return maskAllHeaders(value);
    case "error":
      return { code: codeOf(value), message: maskedDetail };
    default:
      return value === "" ? value : maskText;
  }
}

/** Says where a call went, and not to which path. */
export function maskUrl(url: string): string {
  const origin = /^[a-z]+:\/\/[^/?#@\s]+(?=[/?#]|$)/i.exec(url)?.[0];
  if (origin === undefined) return maskText;
  return url === origin || url === `${origin}/` ? url : `${origin}/${maskText}`;
}

function maskAllHeaders(headers: unknown): unknown {
  if (Array.isArray(headers)) return headers.map(([name]) => [name, maskText]);
  return Object.fromEntries(Object.keys(Object(headers)).map((name) => [name, maskText]));
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" && /^[a-z0-9_]+$/.test(code) ? code : "failed";
}

/** Instead of a sentence that may quote a payload. */
export const maskedDetail = "The details are masked for your role.";
