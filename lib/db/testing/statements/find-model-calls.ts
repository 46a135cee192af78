import * as ast from "typescript/unstable/ast";
import type { Checker, Project, Type } from "typescript/unstable/sync";
import { textOf } from "./read-sql.ts";
import { collect, functionAround } from "./search-code.ts";

/** A call of a Prisma model that reads, changes, or deletes rows. */
export type ModelCall = {
  /** The function that it is in, such as `lib/db/hooks/hooks.ts#getHook`. */
  readonly owner: string;
  /** Such as `hookSecret`. */
  readonly model: string;
  /** True if the type of its `where` has the id of an account that can't be undefined. */
  readonly isBound: boolean;
};

// What creates rows has to give the account already: its column is required.
const operation = /^(find|count$|aggregate$|groupBy$|update|upsert$|delete)/;

/** Finds them by the compiler, which knows what a `where` has however it is put together. */
export function findModelCalls(
  { checker }: Project,
  files: readonly ast.SourceFile[],
  root: string,
): ModelCall[] {
  return files.flatMap((file) =>
    collect(file, ast.isCallExpression).flatMap((call) => {
      const { expression: method } = call;
      if (!ast.isPropertyAccessExpression(method) || !operation.test(textOf(method.name)))
        return [];
      const { expression: model } = method;
      if (!ast.isPropertyAccessExpression(model)) return [];
      const [argument] = call.arguments;
      const where = propertyOf(checker, argument && checker.getTypeAtLocation(argument), "where");
      const owner = functionAround(file, call, root);
      return [{ owner, model: textOf(model.name), isBound: bindsAccount(checker, where) }];
    }),
  );
}

/** Prisma ignores a condition that is undefined, so such a type binds nothing. */
function bindsAccount(checker: Checker, where: Type | undefined): boolean {
  if (where === undefined) return false;
  return checker.getPropertiesOfType(where).some(({ name }) => {
    const type = propertyOf(checker, where, name);
    if (type === undefined) return false;
    if (name === "accountId") return checker.isTypeAssignableTo(type, checker.getStringType());
    // A key with the account in it, or the row that this one belongs to.
    return /^(accountId_\w+|hook|action|subscription)$/.test(name) && bindsAccount(checker, type);
  });
}

function propertyOf(checker: Checker, type: Type | undefined, name: string): Type | undefined {
  const property = type && checker.getPropertiesOfType(type).find((each) => each.name === name);
  return property && checker.getTypeOfSymbol(property);
}
