import { AppError } from "#lib/base/errors.ts";
import { explainError } from "#lib/web/api/api-response.ts";
import { visible } from "./visible-text.ts";

const maxChars = 2_000;

/** What went wrong and what to change, as text for a model. Internal errors are logged with an id that it has. */
export function describeError(error: unknown, tool: string): string {
  const call = { method: "POST", url: `https://mcp.invalid/mcp/${tool}` };
  const { code, detail } = explainError(error, call);
  const fields = error instanceof AppError ? (error.errors ?? []) : [];
  const lines = fields.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
  const text = [`${code}: ${detail}`, ...lines.filter((line) => !detail.includes(line))].join("\n");
  return visible(text.slice(0, maxChars));
}
