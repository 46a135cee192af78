/** The folders that the tree of docs/architecture.md names, as paths from the root. */
export function readRooms(markdown: string): ReadonlySet<string> {
  const tree = /^## Folders\n+```\n(.*?)^```/ms.exec(markdown)?.[1] ?? "";
  const rooms = new Set<string>();
  const parents: string[] = [];
  for (const line of tree.split("\n")) {
    const [, indent = "", names = "", rest = ""] = /^( *)((?:[\w-]+\/ ?)+)(.*)$/.exec(line) ?? [];
    const depth = indent.length / 2;
    const parent = parents.slice(0, depth).join("");
    const folders = namesOf(names);
    for (const folder of folders) rooms.add(`${parent}${folder}`);
    const [only] = folders;
    if (folders.length !== 1 || only === undefined) continue;
    parents.splice(depth, parents.length, `${only}/`);
    for (const folder of namesOf(rest)) rooms.add(`${parent}${only}/${folder}`);
  }
  return rooms;
}

/** The folders that the tree should name: rooms, and what is in them. Nouns name themselves. */
export function listRooms(files: readonly string[]): ReadonlySet<string> {
  const folders = files.flatMap((path) => {
    const [first = "", ...rest] = path.split("/").slice(0, -1);
    if (first === "components" || first === "server") return joinAll(first, rest.slice(0, 1));
    if (first !== "lib") return [];
    return joinAll(first, rest.slice(0, depthOf(rest[0])));
  });
  return new Set(folders.filter((folder) => !/\/testing$/.test(folder)));
}

/** `lib/core` has wings with rooms in them, and the nouns of services and web name themselves. */
function depthOf(room: string | undefined): number {
  if (room === "core") return 3;
  return room === "services" || room === "web" ? 1 : 2;
}

function joinAll(first: string, rest: readonly string[]): string[] {
  return rest.map((_, index) => [first, ...rest.slice(0, index + 1)].join("/"));
}

function namesOf(text: string): string[] {
  return [...text.matchAll(/(?<![\w/.-])([\w-]+)\/(?![\w-])/g)].map(([, name = ""]) => name);
}
