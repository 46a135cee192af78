"use client";

import { Check, Copy } from "lucide-react";
import { HeaderList } from "./header-list.tsx";
import { type PayloadNodeView, PayloadTree } from "./payload-tree.tsx";
import { TextBlock } from "./text-block.tsx";
import { Notice } from "./ui/notice.tsx";
import { Tabs } from "./ui/tabs.tsx";
import { useCopy } from "./ui/use-copy.ts";

export type PayloadPanelProps = {
  readonly body: {
    readonly tree: PayloadNodeView | null;
    readonly isTreeCut: boolean;
    readonly treeProblem: string | null;
    readonly raw: {
      readonly form: "text" | "hex";
      readonly text: string;
      readonly isCut: boolean;
    } | null;
  };
  readonly headers: readonly (readonly [string, string])[];
  readonly areHeadersCut: boolean;
};

/** What arrived: as a tree to map from, as it was sent, and its headers. */
export function PayloadPanel({ body, headers, areHeadersCut }: PayloadPanelProps) {
  const tree = { id: "tree", title: "Payload", panel: <TreeView body={body} /> };
  const raw = { id: "raw", title: "Raw body", panel: <RawView raw={body.raw} /> };
  const headerTab = {
    id: "headers",
    title: `Headers (${headers.length})`,
    panel: (
      <div className="grid gap-3">
        <HeaderList headers={headers} />
        {areHeadersCut && (
          <Notice>There are more headers than this page shows. The API has all of them.</Notice>
        )}
      </div>
    ),
  };
  return <Tabs label="What arrived" tabs={[tree, raw, headerTab]} />;
}

function TreeView({ body: { tree, isTreeCut, treeProblem } }: Pick<PayloadPanelProps, "body">) {
  if (tree === null) return <Notice>{treeProblem}</Notice>;
  return (
    <div className="grid gap-3">
      {isTreeCut && <Notice>This payload is large: only its beginning is shown here.</Notice>}
      <PayloadTree root={tree} action={(node) => <CopyPath node={node} />} />
    </div>
  );
}

function CopyPath({ node: { path } }: { node: PayloadNodeView }) {
  const { outcome, copy } = useCopy();
  if (path === null) return null;
  const template = `{{ ${path} }}`;
  return (
    <button
      type="button"
      onClick={() => copy(template)}
      aria-label={`Copy ${template}`}
      title={`Copy ${template}`}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted-foreground hover:bg-card hover:text-foreground"
    >
      {outcome === "copied" ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={13} />}
      <span aria-live="polite" className="sr-only">
        {outcome === "copied" && "Copied"}
        {outcome === "failed" && "Could not be copied"}
      </span>
    </button>
  );
}

function RawView({ raw }: { raw: PayloadPanelProps["body"]["raw"] }) {
  if (raw === null) return <p className="text-sm text-muted-foreground">The body is empty.</p>;
  const isText = raw.form === "text";
  return (
    <div className="grid grid-cols-1 gap-3">
      {!isText && <Notice>These bytes are not text, so they are shown as numbers.</Notice>}
      <TextBlock
        label="Raw body"
        text={raw.text}
        keepsLines={!isText}
        cutNote={
          raw.isCut ? "Only the beginning is shown here. Download the raw body to have all of it." : null
        }
      />
    </div>
  );
}
