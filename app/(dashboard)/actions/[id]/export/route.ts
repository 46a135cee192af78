import { getAction } from "#lib/db/actions/actions.ts";
import { AppError } from "#lib/errors.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { showExport } from "#lib/web/views/action/show-export.ts";

type ExportContext = { readonly params: Promise<{ readonly id: string }> };

/** An action as a file, without secrets. */
export async function GET(_request: Request, { params }: ExportContext): Promise<Response> {
  const session = await readSession();
  if (session === null) return new Response("Sign in first.", { status: 401 });
  const { db, sealer } = serverContext();
  try {
    const action = await getAction(db, session.accountId, (await params).id);
    return new Response(showExport(action, sealer).text, {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="action-${action.id}.json"`,
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    return new Response("There is no action with this id.", { status: 404 });
  }
}
