import { expect, it } from "vitest";
import { listRooms, readRooms } from "./find-rooms.ts";

it("reads the folders of the tree, also those in the words about a room", () => {
  const tree =
    "lib/\n  core/       pure\n    steps/ why/\n    mask/    fields\n  web/   auth/ ← rest/\nserver/ start/ cli/\n";
  const rooms = readRooms(`# A\n\n## Folders\n\n\`\`\`\n${tree}\`\`\`\n`);
  expect([...rooms]).toEqual(
    expect.arrayContaining(["lib/core", "lib/core/steps", "lib/core/mask", "lib/web/rest"]),
  );
  expect(rooms.has("lib/steps")).toBe(false);
});

it("names two levels of lib, three of core, one of components and server, and no noun or helper of tests", () => {
  const files = [
    "lib/core/verify/mac/a.ts",
    "lib/web/hooks/b.ts",
    "lib/db/testing/c.ts",
    "components/ui/form/d.tsx",
    "docs/e.md",
  ];
  const expected = [
    "lib/core",
    "lib/core/verify",
    "lib/core/verify/mac",
    "lib/web",
    "lib/db",
    "components/ui",
  ];
  expect([...listRooms(files)]).toEqual(expected);
});
