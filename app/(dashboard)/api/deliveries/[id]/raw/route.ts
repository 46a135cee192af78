import { readBody } from "#lib/services/deliveries/read-deliveries.ts";
import { respondToPage } from "#lib/web/auth/respond-to-page.ts";

/**
 * The body as received, for download only: a browser must not run foreign HTML under our origin,
 * whatever type it detects. The route is below `/api`, whose responses have their own content
 * policy.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return await respondToPage(async (context) => {
    const body = await readBody(context, { id });
    return new Response(new Uint8Array(body), { headers: { ...safeHeaders, ...nameOf(id) } });
  });
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
