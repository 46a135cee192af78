import { AppError } from "#lib/errors.ts";
import { toResponse } from "#lib/web/rest/api-answer.ts";
import { answerErrors } from "#lib/web/rest/api-route.ts";

/** Unknown API routes get an API error, not an HTML page. */
async function answerNotFound(request: Request): Promise<Response> {
  const refuse = async (): Promise<never> => {
    throw new AppError("not_found", "No API endpoint at this path.");
  };
  return toResponse(await answerErrors(request, refuse));
}

export {
  answerNotFound as DELETE,
  answerNotFound as GET,
  answerNotFound as HEAD,
  answerNotFound as OPTIONS,
  answerNotFound as PATCH,
  answerNotFound as POST,
  answerNotFound as PUT,
};
