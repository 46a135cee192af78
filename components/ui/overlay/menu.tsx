"use client";

import { Content, Item, Portal, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { IconButton } from "../button/icon-button.tsx";
import { classNames } from "../class-names.ts";
import { Icon } from "../icon.tsx";

type MenuProps = {
  readonly label: string;
  /** The button that opens the menu. Default: three dots. */
  readonly trigger?: ReactNode;
  readonly children: ReactNode;
};

/** A menu of actions behind a button. Arrow keys and first letters move through it. */
export function Menu({ label, trigger, children }: MenuProps) {
  return (
    // Not modal: that would need a style element, which the page's policy blocks.
    <Root modal={false}>
      <Trigger asChild>
        {trigger ?? (
          <IconButton label={label}>
            <Icon name="ellipsis" className="size-[18px]" />
          </IconButton>
        )}
      </Trigger>
      <Portal container={findMain()}>
        <Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 min-w-44 rounded-lg border bg-card p-1 text-sm shadow-lg"
        >
          {children}
        </Content>
      </Portal>
    </Root>
  );
}

/** Rendered inside a landmark, as all content must be. A menu only opens in the browser. */
function findMain(): HTMLElement | null {
  return typeof document === "undefined" ? null : document.querySelector("main");
}

type MenuItemProps = {
  readonly onSelect?: () => void;
  readonly isDanger?: boolean;
  /** Renders a link instead of a button. */
  readonly asChild?: boolean;
  readonly children: ReactNode;
};

export function MenuItem({ onSelect, isDanger = false, asChild = false, children }: MenuItemProps) {
  return (
    <Item
      asChild={asChild}
      onSelect={onSelect}
      className={classNames(
        "flex cursor-pointer items-center rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-muted",
        isDanger && "text-negative",
      )}
    >
      {children}
    </Item>
  );
}

export function MenuSeparator() {
  return <Separator className="my-1 h-px bg-border" />;
}
