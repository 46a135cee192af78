import { expect, test } from "vitest";
import { nameInvocation } from "./invocation.ts";

test.each([
  ["/home/me/.local/bin/catchment", "/work", "catchment"],
  ["/work/catchment.mjs", "/work", "node catchment.mjs"],
  ["/work/tools/catchment.mjs", "/work", "node tools/catchment.mjs"],
  ["/tools/catchment.mjs", "/work", "node /tools/catchment.mjs"],
])("%s in %s is called %s", (file, folder, called) => {
  expect(nameInvocation(file, folder)).toBe(called);
});
