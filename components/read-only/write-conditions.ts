import {
  type ConditionDraft,
  type FilterDraft,
  filledRows,
  type GroupDraft,
  hasItems,
  hasValue,
  operators,
} from "#components/actions/draft/filter-draft.ts";

/** The conditions of a filter, one a line: `type equals invoice.paid`. Empty: everything matches. */
export function writeConditions(filter: FilterDraft): readonly string[] {
  if (filter.mode === "json") return filter.json.trim() === "" ? [] : filter.json.split("\n");
  return writeGroup(filter);
}

const heads = { all: "All of:", any: "Any of:", none: "None of:" } as const;

function writeGroup(group: GroupDraft): readonly string[] {
  const conditions = filledRows(group).map(writeCondition);
  if (conditions.length < 2 && group.match !== "none") return conditions.flat();
  const rows = conditions.flatMap(([first = "", ...others]) => [
    `• ${first}`,
    ...others.map((row) => `  ${row}`),
  ]);
  return [heads[group.match], ...rows];
}

/** One line, and those of the conditions on its items. */
function writeCondition({ path, op, value, where }: ConditionDraft): readonly string[] {
  const words = operators.find((one) => one.op === op)?.words ?? op;
  if (hasItems(op) && where !== undefined)
    return [`${path} ${words}`, ...writeGroup(where).map((row) => `  ${row}`)];
  return [hasValue(op) ? `${path} ${words} ${value}` : `${path} ${words}`];
}
