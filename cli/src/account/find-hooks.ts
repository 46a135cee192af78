import type { Client, Hook } from "../../../clients/typescript/src/index.ts";
import { Exit } from "../frame/exit.ts";
import { plain } from "../frame/write.ts";

/** The hooks with these names, paths, or ids. None given: none, which means all. */
export async function findHooks(
  client: Client,
  wanted: readonly string[],
): Promise<readonly Hook[]> {
  if (wanted.length === 0) return [];
  const all = await listHooks(client);
  return wanted.map((text) => findByName("hook", all, text));
}

export async function listHooks(client: Client): Promise<Hook[]> {
  const all: Hook[] = [];
  for await (const hook of client.listHooks({ limit: 100 })) all.push(hook);
  return all;
}

type Named = { readonly id: string; readonly name: string; readonly path?: string | null };

/** The one with this id, path, or name, or the only one whose name begins so. Throws an `Exit`. */
export function findByName<One extends Named>(
  noun: "hook" | "action",
  all: readonly One[],
  text: string,
): One {
  const asked = text.toLowerCase();
  const exact = all.filter(({ id, name, path }) => [id, path, name.toLowerCase()].includes(asked));
  const found =
    exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase().startsWith(asked));
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  if (one === undefined) {
    const names = all.slice(0, 10).map(({ name }) => plain(name));
    const list = `${noun === "hook" ? "Hooks" : "Actions"}: ${names.join(", ") || "none yet"}`;
    throw new Exit("notFound", `There is no ${noun} ${text}. ${list}.`);
  }
  const ids = found.map(({ id, name }) => `${plain(name)} (${id})`).join(", ");
  throw new Exit("usage", `Several ${noun}s fit ${text}: ${ids}. Use an id.`);
}
