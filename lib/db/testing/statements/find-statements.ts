import * as ast from "typescript/unstable/ast";
import { API, type Checker, type Project, SymbolFlags, type Type } from "typescript/unstable/sync";
import { findModelCalls, type ModelCall } from "./find-model-calls.ts";
import { SqlReader, textOf, UnreadableSql } from "./read-sql.ts";
import { collect, functionAround } from "./search-code.ts";

/** A statement in the code. */
export type FoundStatement = {
  /** Its file and line, such as `lib/db/hooks/hooks.ts:42`. */
  readonly place: string;
  /** The function that it is in, such as `lib/db/hooks/hooks.ts#getHook`. */
  readonly owner: string;
  /** The template in the code, with its values. */
  readonly source: string;
  /**
   * Its texts, with `$1` for the first value. There are several if a part of it depends on a
   * condition.
   */
  readonly texts: readonly string[];
  /** The type that the code gives each column. Null: it doesn't say. */
  readonly columns: ReadonlyMap<string, string> | null;
  readonly unreadable?: string;
};

type FoundQueries = {
  readonly statements: readonly FoundStatement[];
  readonly modelCalls: readonly ModelCall[];
};

/** Every `$queryRaw`, `$executeRaw`, and call of a model in `lib/db`, found by the compiler. */
export function findQueries(root: string): FoundQueries {
  const api = new API({ cwd: root });
  try {
    const config = `${root}/tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error("tsconfig.json was not read");
    const files = project.program
      .getSourceFileNames()
      .filter((name) => isSource(name.slice(root.length + 1)))
      .flatMap((name) => project.program.getSourceFile(name) ?? []);
    const modelCalls = findModelCalls(project, files, root);
    return { statements: findInFiles(project, files, root), modelCalls };
  } finally {
    api.close();
  }
}

function isSource(path: string): boolean {
  return path.startsWith("lib/db/") && !/\/generated\/|\/testing\/|\.test\.ts$/.test(path);
}

function findInFiles(
  project: Project,
  files: readonly ast.SourceFile[],
  root: string,
): FoundStatement[] {
  const callers = findCallers(project, files);
  return files.flatMap((file) =>
    collect(file, ast.isTaggedTemplateExpression)
      .filter(({ tag }) => /\$(query|execute)Raw$/.test(textOf(tag)))
      .map((node) => ({
        place: `${file.fileName.slice(root.length + 1)}:${lineOf(file, node)}`,
        owner: functionAround(file, node, root),
        source: textOf(node.template),
        columns: readColumns(project.checker, node),
        ...readTexts(project, callers, node),
      })),
  );
}

function readTexts(project: Project, callers: Callers, node: ast.TaggedTemplateExpression) {
  const texts = new Set<string>();
  try {
    for (let choice = 0, ways = 1; choice < ways; choice += 1) {
      const reader = new SqlReader(project, callers, choice);
      let values = 0;
      const parts = reader.readTemplate(node.template);
      texts.add(parts.map((part) => part ?? `$${++values}`).join(""));
      ways = Math.max(ways, reader.ways);
    }
    return { texts: [...texts] };
  } catch (error) {
    if (!(error instanceof UnreadableSql)) throw error;
    return { texts: [...texts], unreadable: error.message };
  }
}

type Callers = ReadonlyMap<number, readonly ast.CallExpression[]>;

/** Finds the calls of each function, by its symbol. */
function findCallers({ checker }: Project, files: readonly ast.SourceFile[]): Callers {
  const callers = new Map<number, ast.CallExpression[]>();
  for (const call of files.flatMap((file) => collect(file, ast.isCallExpression))) {
    if (!ast.isIdentifier(call.expression)) continue;
    const symbol = checker.getSymbolAtLocation(call.expression);
    if (symbol === undefined) continue;
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
    const { id } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    callers.set(id, [...(callers.get(id) ?? []), call]);
  }
  return callers;
}

function lineOf(file: ast.SourceFile, node: ast.Node): number {
  return file.text.slice(0, node.end).split("\n").length;
}

/** The members of `Row` in `$queryRaw<Row[]>`. */
function readColumns(
  checker: Checker,
  { tag, typeArguments }: ast.TaggedTemplateExpression,
): ReadonlyMap<string, string> | null {
  const [rows] =
    typeArguments ?? (ast.isExpressionWithTypeArguments(tag) ? tag.typeArguments : []) ?? [];
  const type = rows && checker.getTypeFromTypeNode(rows);
  if (type === undefined || !checker.isArrayLikeType(type)) return null;
  const [row] = type.isTypeReference() ? checker.getTypeArguments(type) : [];
  if (row === undefined) return null;
  const properties = checker.getPropertiesOfType(row);
  if (properties.length === 0) return null;
  return new Map(
    properties.map((each) => [each.name, kindOf(checker, checker.getTypeOfSymbol(each))]),
  );
}

/**
 * The kind of a type: `string`, `bigint[]`, `Date`, …; `object` for JSON, `any` for types that the
 * code doesn't narrow.
 */
function kindOf(checker: Checker, type: Type | undefined): string {
  const solid = type && checker.getNonNullableType(type);
  if (solid === undefined) return "any";
  if (checker.isArrayLikeType(solid) && solid.isTypeReference()) {
    return `${kindOf(checker, checker.getTypeArguments(solid)[0])}[]`;
  }
  const basics = {
    string: checker.getStringType(),
    number: checker.getNumberType(),
    bigint: checker.getBigIntType(),
    boolean: checker.getBooleanType(),
  };
  if (checker.isTypeAssignableTo(checker.getUnknownType(), solid)) return "any";
  for (const [name, basic] of Object.entries(basics)) {
    if (checker.isTypeAssignableTo(solid, basic)) return name;
  }
  const name = checker.typeToString(solid).replace(/<.*/s, "");
  return ["Date", "Uint8Array"].includes(name) ? name : "object";
}
