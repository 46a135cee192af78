import type { DatabaseCosts } from "../measure/database-costs.ts";
import { statementKinds } from "../seed/tables.ts";
import { formatTable } from "./table.ts";

/** The cost of one stage per delivery. */
type StageCost = {
  readonly microseconds: number;
  readonly statementsPerSecond?: number;
  readonly rowsPerStatement?: number;
  readonly walBytes?: number;
};

/** Costs by stage. The names of PostgreSQL's stages begin with its name. */
export type Budget = Readonly<Record<string, StageCost>>;

/** The targets per delivery with one action. */
const targets: Readonly<
  Record<string, { readonly microseconds: number; readonly walBytes?: number }>
> = {
  PostgreSQL: { microseconds: 75, walBytes: 3_300 },
  catch: { microseconds: 75 },
  worker: { microseconds: 80 },
  supervisor: { microseconds: 2 },
};

type Work = {
  readonly deliveries: number;
  readonly actions: number;
  /** The time from the first delivery until the last call was recorded. */
  readonly seconds: number;
  readonly database: DatabaseCosts;
  /** Microseconds per delivery, by process. */
  readonly processes: Readonly<Record<string, number>>;
};

export function makeBudget({ deliveries, actions, seconds, database, processes }: Work): Budget {
  const perDelivery = (ms: number) => (ms * 1000) / deliveries;
  const statements = statementKinds.map((kind): [string, StageCost] => {
    const { calls, cpuMs, walBytes } = database.statements[kind];
    const rows = kind === "store" ? deliveries : deliveries * actions;
    const perStatement = kind === "other" || calls === 0 ? {} : { rowsPerStatement: rows / calls };
    return [
      `PostgreSQL: ${kind}`,
      {
        microseconds: perDelivery(cpuMs),
        statementsPerSecond: calls / seconds,
        ...perStatement,
        walBytes: walBytes / deliveries,
      },
    ];
  });
  const calls = statementKinds.reduce((sum, kind) => sum + database.statements[kind].calls, 0);
  const own = ["catch", "worker", "supervisor"].map((role): [string, StageCost] => [
    role,
    { microseconds: processes[role] ?? 0 },
  ]);
  return Object.fromEntries([
    [
      "PostgreSQL",
      {
        microseconds: perDelivery(database.cpuMs),
        statementsPerSecond: calls / seconds,
        walBytes: database.walBytes / deliveries,
      },
    ],
    ...statements,
    ["PostgreSQL: background", { microseconds: perDelivery(database.backgroundMs) }],
    ...own,
    [
      "together",
      {
        microseconds: own.reduce(
          (sum, [, { microseconds }]) => sum + microseconds,
          perDelivery(database.cpuMs),
        ),
      },
    ],
  ]);
}

export function describeBudget(budget: Budget): string {
  const rows = Object.entries(budget).map(([stage, cost]) => [
    stage.replace(/^PostgreSQL: /, "  "),
    whole(cost.microseconds),
    whole(targets[stage]?.microseconds),
    whole(cost.statementsPerSecond),
    whole(cost.rowsPerStatement),
    whole(cost.walBytes),
    whole(targets[stage]?.walBytes),
  ]);
  const head = [
    "per delivery",
    "CPU µs",
    "target",
    "statements/s",
    "rows each",
    "WAL bytes",
    "target",
  ];
  return formatTable(head, rows);
}

/** Every cell of the table by name, to be saved and compared. */
export function figuresOfBudget(budget: Budget): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [stage, cost] of Object.entries(budget)) {
    figures[`${stage}, µs`] = cost.microseconds;
    if (cost.statementsPerSecond !== undefined)
      figures[`${stage}, statements/s`] = cost.statementsPerSecond;
    if (cost.rowsPerStatement !== undefined) figures[`${stage}, rows each`] = cost.rowsPerStatement;
    if (cost.walBytes !== undefined) figures[`${stage}, WAL bytes`] = cost.walBytes;
  }
  return figures;
}

function whole(value: number | undefined): string {
  return value === undefined ? "" : Math.round(value).toLocaleString("en");
}
