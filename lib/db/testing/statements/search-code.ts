import type * as ast from "typescript/unstable/ast";
import { textOf } from "./read-sql.ts";

/** All nodes of a kind, in the order of the code. */
export function collect<Kind extends ast.Node>(
  root: ast.Node,
  is: (node: ast.Node) => node is Kind,
): Kind[] {
  const found: Kind[] = [];
  const visit = (node: ast.Node): void => {
    if (is(node)) found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

/** The function at the top of a file that has this node, such as `lib/db/hooks/hooks.ts#getHook`. */
export function functionAround(file: ast.SourceFile, node: ast.Node, root: string): string {
  const top = file.statements.find((each) => each.pos <= node.pos && node.end <= each.end);
  const name = /\b(?:function\*?|const|class) (\w+)/.exec(top === undefined ? "" : textOf(top));
  return `${file.fileName.slice(root.length + 1)}#${name?.[1] ?? ""}`;
}
