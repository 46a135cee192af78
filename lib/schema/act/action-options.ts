/**
 * The options of an action that are whole numbers. Each has its own column. API, storage, and the
 * editor's fields follow from this table.
 */
type ActionOption = {
  readonly column: string;
  readonly min: number;
  readonly max: number;
  /** Null: no value by default. */
  readonly default: number | null;
  /** The number of our units in one unit of the editor. */
  readonly scale: number;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** The error text, in the editor's unit. */
  readonly invalid: string;
  /** The option in a few words, from the text of its field. */
  readonly summarize: (text: string) => string;
};

export const actionOptions = {
  timeoutMs: {
    column: "timeout_ms",
    min: 100,
    max: 60_000,
    default: 15_000,
    scale: 1_000,
    label: "Timeout in seconds",
    hint: "For the whole request, at most 60.",
    invalid: "must be from 0.1 to 60 seconds",
    summarize: (text) => `${text} s timeout`,
  },
  /** The maximum number of requests of this action at the same time. Null: no limit. */
  maxConcurrency: {
    column: "max_concurrency",
    min: 1,
    max: 1_000,
    default: null,
    scale: 1,
    label: "Concurrent requests",
    hint: "For receivers with low limits.",
    placeholder: "no limit",
    invalid: "must be a whole number from 1 to 1000",
    summarize: (text) => (text === "" ? "no concurrency limit" : `${text} at once`),
  },
} as const satisfies Record<string, ActionOption>;

export type ActionOptionName = keyof typeof actionOptions;
export type ActionOptions = {
  readonly [Name in ActionOptionName]: (typeof actionOptions)[Name]["default"] extends null
    ? number | null
    : number;
};

/** The options in the order of the table, all with one type. */
export const listedOptions = Object.entries(actionOptions) as readonly (readonly [
  ActionOptionName,
  ActionOption,
])[];

/** One value for each option. */
export function mapOptions<Value>(
  read: (name: ActionOptionName, option: ActionOption) => Value,
): Record<ActionOptionName, Value> {
  const entries = listedOptions.map(([name, option]) => [name, read(name, option)]);
  return Object.fromEntries(entries) as Record<ActionOptionName, Value>;
}
