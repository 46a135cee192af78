import { expect, it } from "vitest";
import { takeChanges } from "./write-notes.ts";

const changelog = `# Changelog

What users notice.

## Unreleased

### New

- Not yet.

## 0.2.0

### New

- Two.

## 0.1.0

- One.
`;

it("the notes are the version's section of the changelog", () => {
  expect(takeChanges(changelog, "0.2.0")).toBe("## New\n\n- Two.\n");
  expect(takeChanges(changelog, "0.1.0")).toBe("- One.\n");
});

it("a version without a section gets what isn't released yet", () => {
  expect(takeChanges(changelog, "0.3.0")).toBe("## New\n\n- Not yet.\n");
  expect(() => takeChanges("# Changelog\n", "0.3.0")).toThrow('no "## 0.3.0"');
});
