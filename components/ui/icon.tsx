import { Ellipsis, Pencil } from "lucide-react";

const icons = {
  pencil: Pencil,
  ellipsis: Ellipsis,
} as const;

type IconProps = {
  readonly name: keyof typeof icons;
  readonly className: string;
};

/** A decorative icon that every row of a list has. `IconSprite` in the layout draws it once. */
export function Icon({ name, className }: IconProps) {
  return (
    <svg aria-hidden="true" className={className}>
      <use href={`#icon-${name}`} />
    </svg>
  );
}

export function IconSprite() {
  return (
    <svg aria-hidden="true" className="hidden">
      {Object.entries(icons).map(([name, Drawing]) => (
        <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
          <Drawing />
        </symbol>
      ))}
    </svg>
  );
}
