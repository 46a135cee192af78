/** Command palette results, as the server sends them to the browser. */
import { z } from "zod";
import { shortText } from "#lib/schema/field/common.ts";

export const searchText = shortText({ max: 200 });

export const searchResultSchema = z.object({
  hits: z.array(
    z.object({
      kind: z.enum(["hook", "action", "delivery", "run"]),
      id: z.string(),
      name: z.string(),
      /** Its hook, or its time. */
      detail: z.string(),
      href: z.string(),
    }),
  ),
});

export type SearchHit = z.output<typeof searchResultSchema>["hits"][number];

/** The choices in a filter's picker. */
export type Choices = {
  readonly choices: readonly {
    readonly id: string;
    readonly name: string;
    /** Of an action. */
    readonly hookName?: string;
  }[];
  /** More would match. */
  readonly isMore: boolean;
};

/** What is left to search for a page of a list that isn't full. */
export type Search = {
  /** The parameters of the page. */
  readonly page: string;
  readonly cursor: string;
  /** How far back it got, in Unix milliseconds. */
  readonly reachedMs: number;
};

/** The next results of a search. */
export type SearchStep<Row> = {
  readonly rows: readonly Row[];
  /** Null: the page is full, or nothing is left. */
  readonly search: Search | null;
  /** The link to the next page. */
  readonly older: string | null;
};
