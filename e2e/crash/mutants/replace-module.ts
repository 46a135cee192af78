import { registerHooks } from "node:module";
import { basename } from "node:path";

/**
 * Replaces exports of one module of the product with those of `source`, in this process. The source
 * can import the genuine module as `<the same file>?genuine`.
 *
 * @param path its end, such as `/lib/ingress/group-commit.ts`
 */
export function replaceModule(path: string, source: string): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith(path)) return nextLoad(url, context);
      const others = `export * from "./${basename(path)}?genuine";`;
      return { format: "module", source: `${others}${source}`, shortCircuit: true };
    },
  });
}
