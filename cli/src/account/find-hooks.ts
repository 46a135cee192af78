import type { Client, Hook } from "../../../clients/typescript/src/index.ts";
import { Exit } from "../frame/exit.ts";
import { plain } from "../frame/write.ts";

/** The hooks with these names, paths, or ids. None given: none, which means all. */
export async function findHooks(
  client: Client,
  wanted: readonly string[],
): Promise<readonly Hook[]> {
  if (wanted.length === 0) return [];
  const all: Hook[] = [];
  for await (const hook of client.listHooks({ limit: 100 })) all.push(hook);
  return wanted.map((text) => findHook(all, text));
}

function findHook(all: readonly Hook[], text: string): Hook {
  const asked = text.toLowerCase();
  const exact = all.filter(({ id, name, path }) => [id, path, name.toLowerCase()].includes(asked));
  const found =
    exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase().startsWith(asked));
  const [hook, other] = found;
  if (hook === undefined) {
    const names =
      all
        .slice(0, 10)
        .map(({ name }) => plain(name))
        .join(", ") || "none yet";
    throw new Exit("notFound", `There is no hook ${text}. Hooks: ${names}.`);
  }
  if (other === undefined) return hook;
  const ids = found.map(({ id, name }) => `${plain(name)} (${id})`).join(", ");
  throw new Exit("usage", `Several hooks fit ${text}: ${ids}. Use an id.`);
}
