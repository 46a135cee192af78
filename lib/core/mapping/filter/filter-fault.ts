import { TemplateFault } from "#lib/core/mapping/template/render-budget.ts";

/** A value that a condition can't compare. The run fails with its message, as with a template. */
export class FilterFault extends TemplateFault {}
