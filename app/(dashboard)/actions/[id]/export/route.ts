import { AppError } from "#lib/errors.ts";
import { exportAction } from "#lib/services/actions/read-actions.ts";
import { exportView } from "#lib/web/actions/export-view.ts";
import { userContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";

type ExportContext = { readonly params: Promise<{ readonly id: string }> };

/** An action as a file, without secrets. */
export async function GET(_request: Request, { params }: ExportContext): Promise<Response> {
  const session = await readSession();
  if (session === null) return new Response("Sign in first.", { status: 401 });
  const context = userContext(session);
  try {
    const action = await exportAction(context, { id: (await params).id });
    return new Response(toJsonText(exportView.show(action, context)), {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="action-${action.id}.json"`,
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    // An id that none can have is an error of the input.
    const isMissing = error instanceof AppError && /^(not_found|invalid_request)$/.test(error.code);
    if (!isMissing) throw error;
    return new Response("There is no action with this id.", { status: 404 });
  }
}
