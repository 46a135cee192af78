import { Link } from "#components/ui/link.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";

/** The line that connects an AI assistant, and where the others are. */
export function AssistantLine({ origin }: { readonly origin: string }) {
  return (
    <>
      <p className="text-sm text-muted-foreground">
        Or connect an AI assistant, such as Claude Code, which signs in in your browser.{" "}
        <Link href="/docs/operations/mcp" className="underline underline-offset-4">
          Other clients, and what it may do
        </Link>
      </p>
      <CopyLine text={`claude mcp add --transport http catchment ${origin}/mcp`} what="command" />
    </>
  );
}
