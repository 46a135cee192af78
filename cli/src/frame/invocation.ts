import { basename, relative } from "node:path";

/** How this program was called, for what people are told to run next. */
export const invocation = nameInvocation(process.argv[1] ?? "", process.cwd());

/** The file as it lies there is run by Node, and an installed one by its name. Pure. */
export function nameInvocation(file: string, folder: string): string {
  if (!file.endsWith(".mjs")) return "catchment";
  const path = relative(folder, file);
  return `node ${path.startsWith("..") ? file : path || basename(file)}`;
}
