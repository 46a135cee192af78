import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { audit, writeProject } from "./audit.ts";

const critical = { id: 1, url: "https://a.test", title: "t", severity: "critical", cwe: [] };
const advisory = {
  ...critical,
  vulnerable_versions: "<1.0.0",
  cvss: { score: 9, vectorString: null },
};
const knows =
  (names: readonly string[]): RequestListener =>
  (request, response) => {
    if (request.method === "GET") return response.writeHead(404).end("{}");
    const found = Object.fromEntries(names.map((name) => [name, [advisory]]));
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  };

afterEach(() => vi.unstubAllEnvs());

/** Audits a project with one package, by a registry on this machine. */
async function auditBy(listener: RequestListener, version = "0.0.8") {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  vi.stubEnv("npm_config_registry", `http://127.0.0.1:${port}/`);
  vi.stubEnv("npm_config_fetch_retries", "0");
  // Somebody's setting, with which npm reports that there are no advisories.
  vi.stubEnv("npm_config_offline", "true");
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    writeProject(folder, { name: "of-this-test", version });
    return await audit(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    server.close();
  }
}

test("an advisory is found, and none is reported only by a registry that knows others", {
  tags: "variant",
}, async () => {
  const all = ["of-this-test", "minimist"];
  expect(await auditBy(knows(all))).toMatchObject({
    kind: "found",
    report: expect.stringContaining("critical"),
  });
  expect(await auditBy(knows(all), "1.0.0")).toEqual({ kind: "none" });
  expect(await auditBy(knows([]))).toMatchObject({ kind: "unknown" });
});

async function expectUnknown(status: number): Promise<void> {
  const found = await auditBy((_request, response) => response.writeHead(status).end());
  expect(found).toMatchObject({ kind: "unknown", why: expect.stringContaining(String(status)) });
}

test("a registry that answers 405 can't say", () => expectUnknown(405));
test.each([404, 403, 500])(
  "a registry that answers %i can't say",
  { tags: "variant" },
  expectUnknown,
);
