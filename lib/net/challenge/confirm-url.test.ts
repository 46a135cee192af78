import { expect, test } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { createHttpClient } from "../http-client.ts";
import { serveHttp } from "../testing/test-servers.ts";
import { confirmUrl } from "./confirm-url.ts";

test(
  "only a successful response confirms a URL: no failure, no " +
    "redirect, nothing in the internal network",
  async () => {
    const called: string[] = [];
    await using provider = await serveHttp((request, response) => {
      called.push(`${request.method} ${request.url}`);
      if (request.url === "/moved") response.writeHead(302, { location: "/ok" }).end();
      else if (request.url === "/slow") return;
      else response.writeHead(request.url === "/ok" ? 200 : 403).end();
    });
    const parsed = parseCidrList("127.0.0.0/8");
    const open = createHttpClient({ allow: parsed.ok ? parsed.cidrs : [] });
    const guarded = createHttpClient({ allow: [] });
    const url = (path: string) => `http://127.0.0.1:${provider.port}${path}`;
    expect(await confirmUrl(open, url("/ok"), 2_000)).toBe(true);
    expect(await confirmUrl(open, url("/refused"), 2_000)).toBe(false);
    expect(await confirmUrl(open, url("/moved"), 2_000)).toBe(false);
    expect(await confirmUrl(open, url("/slow"), 50)).toBe(false);
    expect(called).toEqual(["GET /ok", "GET /refused", "GET /moved", "GET /slow"]);
    expect(await confirmUrl(guarded, url("/ok"), 2_000)).toBe(false);
    expect(called.length).toBe(4);
    await Promise.all([open.close(), guarded.close()]);
  },
);
