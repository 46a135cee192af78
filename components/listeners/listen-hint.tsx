import { ChevronRight } from "lucide-react";
import { NextLink } from "#components/ui/next-link.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";

type ListenHintProps = {
  readonly hook: { readonly id: string; readonly name: string; readonly catchUrl: string };
};

/** Ways to use a new hook while its provider has sent nothing. */
export function ListenHint({ hook }: ListenHintProps) {
  return (
    <div className="grid grid-cols-1 gap-2 border-t pt-4">
      <h3 className="text-sm font-medium">Or receive them on your own machine</h3>
      <Commands hook={hook} />
    </div>
  );
}

/** One line in place of the listeners of a hook that has none. */
export function ListenDisclosure({ hook }: ListenHintProps) {
  return (
    <details className="group/listen text-sm">
      <summary
        className={
          "flex w-fit cursor-pointer items-center gap-1.5 rounded-sm text-muted-foreground " +
          "marker:content-none hover:text-foreground [&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={15}
          className="shrink-0 transition-transform group-open/listen:rotate-90"
        />
        Receive deliveries on your own machine
      </summary>
      <div className="grid grid-cols-1 gap-2 pt-2">
        <Commands hook={hook} />
      </div>
    </details>
  );
}

/** The line that brings a hook's deliveries to the machine of a developer. */
function Commands({ hook: { id, name, catchUrl } }: ListenHintProps) {
  const { origin } = new URL(catchUrl);
  // A name that a shell would read differently is an id instead.
  const hook = /^[\w.-]+$/.test(name) ? name : id;
  const steps = [
    `curl -fsSO ${origin}/cli/catchment.mjs`,
    `node catchment.mjs login ${origin}`,
    `node catchment.mjs listen ${hook} --to http://localhost:3000/`,
  ];
  return (
    <>
      <p className="text-sm text-muted-foreground">
        Your program on <code className="font-mono">localhost</code> gets each delivery as it was
        sent. Nothing is missed while it is down.{" "}
        <NextLink href="/docs/api/command-line">About the command line</NextLink>
      </p>
      <CopyLine text={steps.join(" && ")} what="command" />
    </>
  );
}
