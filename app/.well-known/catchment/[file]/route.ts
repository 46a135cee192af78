import { servePublicKeys } from "#lib/web/subscriptions/serve-public-keys.ts";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  return await servePublicKeys((await params).file);
}
