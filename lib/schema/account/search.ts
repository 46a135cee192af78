/** Command palette results, as the server sends them to the browser. */
import { shortText } from "#lib/schema/field/common.ts";

export const searchText = shortText({ max: 200 });

export type SearchHit = {
  readonly kind:
    | "hook"
    | "action"
    | "delivery"
    | "run"
    | "event_type"
    | "recipient"
    | "subscription"
    | "docs";
  readonly id: string;
  readonly name: string;
  /** The kind of result, and its parent. */
  readonly detail: string;
  readonly href: string;
};

/** The response of the palette's search. */
export type SearchHits = { readonly hits: readonly SearchHit[] };

/** The effects of the palette's commands. */
export type PaletteCounts = {
  /** Of the span that every page counts. */
  readonly failedRuns: { readonly count: number; readonly isMore: boolean };
};

/** The choices in a filter's picker. */
export type Choices = {
  readonly choices: readonly {
    readonly id: string;
    readonly name: string;
    /** The hook of an action. */
    readonly hookName?: string;
  }[];
  /** More would match. */
  readonly isMore: boolean;
};

/** The rest of a search for a list page that isn't full yet. */
export type Search = {
  /** The query parameters of the page. */
  readonly page: string;
  readonly cursor: string;
  /** The time up to which it has searched, in Unix milliseconds. */
  readonly reachedMs: number;
};

/** The next results of a search. */
export type SearchStep<Row> = {
  readonly rows: readonly Row[];
  /** Null: the page is full, or everything was searched. */
  readonly search: Search | null;
  /** The link to the next page. */
  readonly older: string | null;
};

/** How far an export is that a page has started. */
export type DownloadProgress = {
  readonly state: "running" | "done" | "canceled" | "failed";
  readonly rows: number;
  /** The reason of a failure. */
  readonly detail?: string;
};
