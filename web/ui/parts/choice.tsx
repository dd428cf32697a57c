// One of a few, as buttons beside each other.

interface Props<T extends string> {
  /** What is chosen. */
  label: string;
  all: readonly { id: T; title: string; hint?: string }[];
  chosen: T | null;
  onChoose: (id: T) => void;
  className?: string;
}

export function Choice<T extends string>({ label, all, chosen, onChoose, className = "" }: Props<T>) {
  return (
    <span class={`group ${className}`.trimEnd()} role="group" aria-label={label}>
      {all.map(({ id, title, hint }) => (
        <button key={id} type="button" title={hint} aria-pressed={chosen === id} onClick={() => onChoose(id)}>
          {title}
        </button>
      ))}
    </span>
  );
}
