import { copyFileSync } from "node:fs";
import { runChecked } from "./run-checked.ts";

/** `npm run pictures`: retakes the pictures of README.md with the spec that opens every page. */
const pictures = { delivery: "delivery-light-1280", action: "action-light-1280" };

const titles = Object.keys(pictures).join("|");
const { code } = await runChecked(
  "playwright",
  ["test", "e2e/screenshots.spec.ts", "-g", ` (${titles}): `],
  {
    show: true,
  },
);
if (code === 0) {
  for (const [name, picture] of Object.entries(pictures))
    copyFileSync(`screenshots/${picture}.png`, `docs/images/${name}.png`);
}
process.exitCode = code;
