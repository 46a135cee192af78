import { settings } from "./settings.ts";

type Source = Readonly<Record<string, string | undefined>>;

type FileVariables =
  | { readonly ok: true; readonly env: Source }
  | { readonly ok: false; readonly variable: string; readonly message: string };

/**
 * Replaces the `<name>_FILE` of each secret by `<name>` with the contents of that file, as container platforms
 * mount secrets. A line break at the end of the file isn't part of the secret.
 *
 * @param read throws if the file can't be read
 */
export function readFileVariables(source: Source, read: (path: string) => string): FileVariables {
  const env = { ...source };
  for (const { name, isSecret } of settings) {
    if (isSecret !== true) continue;
    const variable = `${name}_FILE`;
    const path = env[variable]?.trim() ?? "";
    delete env[variable];
    if (path === "") continue;
    if ((env[name]?.trim() ?? "") !== "")
      return { ok: false, variable, message: `can't be set together with ${name}` };
    try {
      env[name] = read(path).replace(/\r?\n$/, "");
    } catch {
      return { ok: false, variable, message: `names ${path}, which can't be read by this user` };
    }
  }
  return { ok: true, env };
}
