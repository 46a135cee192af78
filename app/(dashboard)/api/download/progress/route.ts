import type { NextRequest } from "next/server";
import { readSession } from "#lib/web/auth/session.ts";
import { findProgress } from "#lib/web/download/download-progress.ts";

/** How far a download is: `?id=<id>`. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  if (session === null) return Response.json({}, { status: 401, headers });
  const id = request.nextUrl.searchParams.get("id") ?? "";
  const progress = findProgress(session.accountId, id);
  return Response.json(progress ?? {}, { status: progress === null ? 404 : 200, headers });
}

const headers = { "cache-control": "no-store" };
