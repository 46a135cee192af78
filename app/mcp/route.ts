import { serveMcp } from "#lib/web/mcp/serve-mcp.ts";
import { writeDraft } from "./write-draft.ts";

function serve(request: Request): Promise<Response> {
  return serveMcp(request, writeDraft);
}

export {
  serve as DELETE,
  serve as GET,
  serve as HEAD,
  serve as OPTIONS,
  serve as PATCH,
  serve as POST,
  serve as PUT,
};
