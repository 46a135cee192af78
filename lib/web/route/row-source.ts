import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { toJsonText } from "./api-json.ts";

/** The rows of a list, page by page, each as the API shows it. */
export class RowSource {
  readonly columns: readonly string[];
  readonly pages: AsyncGenerator<readonly Row[], void>;

  constructor(columns: readonly string[], pages: AsyncGenerator<readonly Row[], void>) {
    this.columns = columns;
    this.pages = pages;
  }
}

export type Row = Readonly<Record<string, unknown>>;

/** The maximum number of rows of an export. */
export const maxExportedRows = 1_000_000;

/** Ends an export with more rows than that. */
export function tooManyRows(): AppError {
  return new AppError(
    "export_too_large",
    "An export has at most 1,000,000 rows. Export a shorter time, with from and to.",
  );
}

/** The columns of a list: its fields, and the fields of those that are objects. */
export function listColumns(schema: z.ZodType): readonly string[] {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.entries(shape).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
    if (!(inner instanceof z.ZodObject)) return [name];
    return Object.keys(inner.shape).map((part) => `${name}.${part}`);
  });
}

/** The cells of a row. Lists, and objects with names of their own, are JSON. */
export function toCells(row: Row, columns: readonly string[]): readonly string[] {
  return columns.map((column) => {
    const [name = "", part] = column.split(".");
    const value = row[name];
    return writeCell(part === undefined ? value : (value as Row | null)?.[part]);
  });
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string") return value;
  const text = toJsonText(value);
  return text === "null" ? "" : text;
}
