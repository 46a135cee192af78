import { registerHooks } from "node:module";

/**
 * Replaces one module of the product with `source`, in this process. The source can import the
 * genuine module as `<the same file>?genuine`.
 *
 * @param path its end, such as `/lib/ingress/group-commit.ts`
 */
export function replaceModule(path: string, source: string): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith(path)) return nextLoad(url, context);
      return { format: "module", source, shortCircuit: true };
    },
  });
}
