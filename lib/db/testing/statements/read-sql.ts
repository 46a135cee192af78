import * as ast from "typescript/unstable/ast";
import { type Project, SymbolFlags } from "typescript/unstable/sync";

/** A text of SQL, or null for a value that becomes a parameter. */
type Part = string | null;

/** The arguments of the functions that are being read, by the symbol of the parameter. */
type Arguments = ReadonlyMap<number, { node: ast.Expression; given: Arguments }>;
const none: Arguments = new Map();

/** SQL that only a run of the code can put together. */
export class UnreadableSql extends Error {}

/**
 * Reads the SQL of an expression from the code alone. Where the code chooses (a condition, a table
 * of fragments, the callers of a function), it takes the `choice`th way.
 */
export class SqlReader {
  readonly #project: Project;
  readonly #callers: ReadonlyMap<number, readonly ast.CallExpression[]>;
  readonly #choice: number;
  /** The maximum number of choices in one place. After as many choices, all have been read. */
  ways = 1;

  constructor(
    project: Project,
    callers: ReadonlyMap<number, readonly ast.CallExpression[]>,
    choice: number,
  ) {
    this.#project = project;
    this.#callers = callers;
    this.#choice = choice;
  }

  readTemplate(template: ast.TemplateLiteral, given: Arguments = none): Part[] {
    if (ast.isNoSubstitutionTemplateLiteral(template)) return [template.text];
    const spans = template.templateSpans.flatMap(({ expression, literal }) => [
      ...(this.#isSql(expression) ? this.#read(expression, given) : [null]),
      literal.text,
    ]);
    return [template.head.text, ...spans];
  }

  /** True if the expression is Prisma's `Sql` in any form. */
  #isSql(node: ast.Expression): boolean {
    const type = this.#project.checker.getTypeAtLocation(node);
    return type !== undefined && /\bSql\b/.test(this.#project.checker.typeToString(type));
  }

  #read(node: ast.Expression, given: Arguments): Part[] {
    if (ast.isTaggedTemplateExpression(node)) return this.readTemplate(node.template, given);
    if (ast.isParenthesizedExpression(node)) return this.#read(node.expression, given);
    if (ast.isConditionalExpression(node)) {
      return this.#read(this.#pick([node.whenTrue, node.whenFalse]), given);
    }
    if (ast.isBinaryExpression(node)) return this.#read(this.#pick([node.right, node.left]), given);
    if (ast.isCallExpression(node)) return this.#readCall(node, given);
    if (ast.isPropertyAccessExpression(node) || ast.isElementAccessExpression(node)) {
      return this.#readMember(node, given);
    }
    if (ast.isIdentifier(node)) return this.#readName(node, given);
    throw unreadable(node);
  }

  #readCall(node: ast.CallExpression, given: Arguments): Part[] {
    const name = textOf(node.expression);
    if (name === "Prisma.raw") return [this.#readText(node.arguments[0], given)];
    if (name === "Prisma.join") return this.#readJoin(node.arguments, given);
    const declared = this.#declarationOf(node.expression);
    if (declared === undefined || !isFunction(declared)) throw unreadable(node);
    const bound = new Map(given);
    for (const [index, parameter] of declared.parameters.entries()) {
      const argument = node.arguments[index];
      const symbol = this.#project.checker.getSymbolAtLocation(parameter.name);
      if (argument !== undefined && symbol !== undefined) {
        bound.set(symbol.id, { node: argument, given });
      }
    }
    return this.#read(this.#pick(resultsOf(declared)), bound);
  }

  /** Reads `Prisma.join(parts, separator, before, after)`. */
  #readJoin([list, ...texts]: readonly ast.Expression[], given: Arguments): Part[] {
    const [separator = ",", before = "", after = ""] = texts.map((text) =>
      this.#readText(text, given),
    );
    const parts = list === undefined ? [] : this.#readList(list, given);
    return [before, ...parts.flatMap((part, i) => (i === 0 ? part : [separator, ...part])), after];
  }

  /**
   * Reads the parts of a list. For a mapped list, one part is enough: its size doesn't change the
   * types.
   */
  #readList(list: ast.Expression, given: Arguments): Part[][] {
    if (ast.isParenthesizedExpression(list)) return this.#readList(list.expression, given);
    if (ast.isConditionalExpression(list)) {
      return this.#readList(this.#pick([list.whenTrue, list.whenFalse]), given);
    }
    if (ast.isArrayLiteralExpression(list)) {
      return list.elements.flatMap((each) => {
        if (ast.isSpreadElement(each)) return this.#readList(each.expression, given);
        return [this.#isSql(each) ? this.#read(each, given) : [null]];
      });
    }
    if (ast.isCallExpression(list)) {
      const callback = list.arguments.find((argument) => isFunction(argument));
      if (callback !== undefined) return [this.#read(this.#pick(resultsOf(callback)), given)];
    }
    const declared = ast.isIdentifier(list) ? this.#declarationOf(list) : undefined;
    if (declared !== undefined && ast.isVariableDeclaration(declared) && declared.initializer) {
      return this.#readList(declared.initializer, given);
    }
    throw unreadable(list);
  }

  #readText(node: ast.Expression | undefined, given: Arguments): string {
    if (node === undefined) throw new UnreadableSql("a text is missing");
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (this.#isNumber(node)) return "0";
    if (ast.isConditionalExpression(node)) {
      return this.#readText(this.#pick([node.whenTrue, node.whenFalse]), given);
    }
    if (ast.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(
        ({ expression, literal }) => this.#readText(expression, given) + literal.text,
      );
      return node.head.text + spans.join("");
    }
    if (ast.isIdentifier(node)) {
      const argument = this.#argumentOf(node, given);
      if (argument !== undefined) return this.#readText(argument.node, argument.given);
      const declared = this.#declarationOf(node);
      if (declared !== undefined && ast.isVariableDeclaration(declared) && declared.initializer) {
        return this.#readText(declared.initializer, given);
      }
    }
    throw unreadable(node);
  }

  /** True for a number, or for one as text. Statements don't change their shape with it. */
  #isNumber(node: ast.Expression): boolean {
    if (ast.isCallExpression(node)) return textOf(node.expression) === "String";
    const type = this.#project.checker.getTypeAtLocation(node);
    return (
      type !== undefined &&
      /^(number|bigint|-?\d+n?)$/.test(this.#project.checker.typeToString(type))
    );
  }

  /** Reads `Prisma.empty`, or one fragment of a table of them. */
  #readMember(
    node: ast.PropertyAccessExpression | ast.ElementAccessExpression,
    given: Arguments,
  ): Part[] {
    if (textOf(node) === "Prisma.empty") return [""];
    const table = this.#objectOf(node.expression, given);
    if (table === undefined) throw unreadable(node);
    const wanted = ast.isPropertyAccessExpression(node) ? node.name.text : undefined;
    return this.#read(this.#pick(membersOf(table, wanted)), given);
  }

  #objectOf(node: ast.Expression, given: Arguments): ast.ObjectLiteralExpression | undefined {
    if (ast.isObjectLiteralExpression(node)) return node;
    if (ast.isSatisfiesExpression(node) || ast.isAsExpression(node)) {
      return this.#objectOf(node.expression, given);
    }
    const argument = this.#argumentOf(node, given);
    if (argument !== undefined) return this.#objectOf(argument.node, argument.given);
    const declared = this.#declarationOf(node);
    if (declared === undefined || !ast.isVariableDeclaration(declared)) return undefined;
    return declared.initializer && this.#objectOf(declared.initializer, given);
  }

  #readName(node: ast.Identifier, given: Arguments): Part[] {
    const argument = this.#argumentOf(node, given);
    if (argument !== undefined) return this.#read(argument.node, argument.given);
    const declared = this.#declarationOf(node);
    if (declared === undefined) throw unreadable(node);
    if (ast.isVariableDeclaration(declared) && declared.initializer !== undefined) {
      return this.#read(declared.initializer, given);
    }
    if (ast.isParameterDeclaration(declared)) return this.#readParameter(declared, undefined);
    if (ast.isBindingElement(declared)) {
      const owner = declared.parent.parent;
      if (ast.isParameterDeclaration(owner)) {
        return this.#readParameter(
          owner,
          textOf((declared.propertyName ?? declared.name) as ast.Node),
        );
      }
    }
    throw unreadable(node);
  }

  /** Reads a parameter from a function's callers: its argument, or a member of it. */
  #readParameter(parameter: ast.ParameterDeclaration, member: string | undefined): Part[] {
    const owner = parameter.parent;
    if (!isFunction(owner)) throw unreadable(parameter);
    const symbol = this.#symbolOf(nameOf(owner));
    const calls = symbol === undefined ? [] : (this.#callers.get(symbol.id) ?? []);
    const index = owner.parameters.indexOf(parameter);
    const values = calls.flatMap((call) => call.arguments[index] ?? parameter.initializer ?? []);
    if (member === undefined) return this.#read(this.#pick(values), none);
    const members = values.flatMap((value) => membersOf(this.#objectOf(value, none), member));
    return this.#read(this.#pick(members), none);
  }

  #argumentOf(node: ast.Expression, given: Arguments) {
    const symbol = this.#project.checker.getSymbolAtLocation(node);
    return symbol === undefined ? undefined : given.get(symbol.id);
  }

  #declarationOf(node: ast.Node): ast.Node | undefined {
    return this.#symbolOf(node)?.declarations[0]?.resolve(this.#project);
  }

  #symbolOf(node: ast.Node | undefined) {
    if (node === undefined) return undefined;
    const symbol = this.#project.checker.getSymbolAtLocation(node);
    if (symbol === undefined || (symbol.flags & SymbolFlags.Alias) === 0) return symbol;
    return this.#project.checker.getAliasedSymbol(symbol);
  }

  #pick<Way>(ways: readonly Way[]): Way {
    this.ways = Math.max(this.ways, ways.length);
    const way = ways[this.#choice % ways.length];
    if (way === undefined) throw new UnreadableSql("nothing is given");
    return way;
  }
}

type FunctionNode = ast.FunctionDeclaration | ast.ArrowFunction | ast.FunctionExpression;

function isFunction(node: ast.Node): node is FunctionNode {
  return (
    ast.isFunctionDeclaration(node) || ast.isArrowFunction(node) || ast.isFunctionExpression(node)
  );
}

function nameOf(node: ast.Node): ast.Node | undefined {
  if (ast.isFunctionDeclaration(node)) return node.name;
  return ast.isVariableDeclaration(node.parent) ? node.parent.name : undefined;
}

/** The expressions that a function returns. */
function resultsOf(declared: FunctionNode): ast.Expression[] {
  const { body } = declared;
  if (body === undefined) return [];
  if (!ast.isBlock(body)) return [body];
  const results: ast.Expression[] = [];
  const visit = (node: ast.Node): void => {
    if (isFunction(node)) return;
    if (ast.isReturnStatement(node) && node.expression !== undefined) results.push(node.expression);
    node.forEachChild(visit);
  };
  visit(body);
  return results;
}

/** The values of an object: those of one name, or all. */
function membersOf(
  table: ast.ObjectLiteralExpression | undefined,
  name: string | undefined,
): ast.Expression[] {
  return (table?.properties ?? []).flatMap((property): ast.Expression[] => {
    const isNamed = (key: ast.Node) => name === undefined || textOf(key) === name;
    if (ast.isShorthandPropertyAssignment(property)) {
      return isNamed(property.name) ? [property.name as ast.Identifier] : [];
    }
    if (!ast.isPropertyAssignment(property) || !isNamed(property.name)) return [];
    return [property.initializer];
  });
}

/** The source text of a node, without comments before it. */
export function textOf(node: ast.Node): string {
  return node.getText();
}

function unreadable(node: ast.Node): UnreadableSql {
  return new UnreadableSql(textOf(node).slice(0, 100));
}
