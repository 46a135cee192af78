import { AppError } from "#lib/errors.ts";
import { readBody } from "#lib/services/deliveries/read-deliveries.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";

/**
 * The body as received, for download only: a browser must not run foreign HTML under our origin,
 * whatever type it detects. The route is below `/api`, whose responses have their own content
 * policy.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const session = await readSession();
  if (session === null) return new Response("Sign in first.", { status: 401 });
  const { id } = await params;
  try {
    const body = await readBody(await pageContext(), { id });
    return new Response(new Uint8Array(body), { headers: { ...safeHeaders, ...nameOf(id) } });
  } catch (error) {
    // Text that is too long for an id is invalid.
    if (error instanceof AppError && ["not_found", "invalid_request"].includes(error.code))
      return new Response("Not found.", { status: 404 });
    throw error;
  }
}

const safeHeaders = {
  "content-type": "application/octet-stream",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
};

/** The file name for an id, which is already validated: hexadecimal digits and hyphens. */
function nameOf(id: string) {
  return { "content-disposition": `attachment; filename="delivery-${id}.bin"` };
}
