import { expect, it } from "vitest";
import { openApiText } from "./openapi.ts";
import { printClient } from "./print-client.ts";

it("the typed client has every call (if not, run npm run generate)", async () => {
  const path = new URL("../../../clients/typescript/src/operations.ts", import.meta.url);
  await expect(printClient(JSON.parse(openApiText("")))).toMatchFileSnapshot(path.pathname);
});
