import type { NextRequest } from "next/server";
import { readSession } from "#lib/web/auth/session.ts";
import { serveDownload } from "#lib/web/download/serve-download.ts";

/** A list as a file: `?list=deliveries&format=csv|ndjson&download=<id>&…filters`. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  if (session === null) return new Response("Sign in first.", { status: 401 });
  return await serveDownload(request, session);
}
