import { exportAction } from "#lib/services/actions/read-actions.ts";
import { exportView } from "#lib/web/actions/export-view.ts";
import { respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";

type ExportContext = { readonly params: Promise<{ readonly id: string }> };

/** An action as a file, without secrets. */
export async function GET(_request: Request, { params }: ExportContext): Promise<Response> {
  const { id } = await params;
  return await respondToPage(async (context) => {
    const action = await exportAction(context, { id });
    return new Response(toJsonText(exportView.show(action, context)), {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="action-${action.id}.json"`,
        "cache-control": "no-store",
      },
    });
  });
}
