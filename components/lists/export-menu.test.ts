import { expect, it } from "vitest";
import { describeProgress } from "./export-menu.tsx";

it.each([
  [{ state: "running", rows: 12_400 }, "Exporting: 12,400 rows so far"],
  [{ state: "done", rows: 1 }, "Exported 1 row"],
  [{ state: "canceled", rows: 200 }, "Export canceled after 200 rows"],
  [
    { state: "failed", rows: 0, detail: "The database isn't responding." },
    "Export failed after 0 rows. The database isn't responding.",
  ],
] as const)("%j is %s", (progress, text) => {
  expect(describeProgress(progress)).toBe(text);
});
